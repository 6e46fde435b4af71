import type { Task } from '../http/rows.ts'

/** Who sees what is delivered. */
export const submissionVisibilityWords: Readonly<Record<Task['submissionVisibility'], string>> = {
  public: 'public at once',
  reveal_all: 'shown to the requester alone until the task ends, then to all',
  winner_only: 'shown to the requester alone; what won is shown to all after the end',
  never: 'shown to the requester alone',
}

/** Who sees the task. */
export const taskVisibilityWords: Readonly<Record<Task['taskVisibility'], string>> = {
  public: 'listed, for all to see',
  unlisted: 'in no list; shown to those who have the link',
  private: 'shown to those who are invited',
}
