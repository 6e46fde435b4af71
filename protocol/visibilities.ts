/** Visibilities of a task. Example: an `unlisted` task is in no list, and every caller with its id can read it. */
export const taskVisibilities = ['public', 'unlisted', 'private'] as const
export type TaskVisibility = (typeof taskVisibilities)[number]

/** Visibilities of a task's submissions. Example: `winner_only` shows those of award recipients after the end of the task. */
export const submissionVisibilities = ['public', 'reveal_all', 'winner_only', 'never'] as const
export type SubmissionVisibility = (typeof submissionVisibilities)[number]
