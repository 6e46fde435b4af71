import type { Task } from '../http/rows.ts'

/** Texts about who can see the deliveries of a task. */
export const submissionVisibilityWords: Readonly<Record<Task['submissionVisibility'], string>> = {
  public: 'everyone, at once',
  reveal_all: 'the requester; everyone after the end',
  winner_only: 'the requester; everyone sees what won after the end',
  never: 'the requester alone',
}

/** Texts about who can see a task. */
export const taskVisibilityWords: Readonly<Record<Task['taskVisibility'], string>> = {
  public: 'everyone',
  unlisted: 'everyone who has the link; it is in no list',
  private: 'those who are invited or have the password',
}
