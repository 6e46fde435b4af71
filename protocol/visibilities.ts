/**
 * Visibilities of a task. Example: no list shows an `unlisted` task, but every caller who knows the task's id can read
 * the task.
 */
export const taskVisibilities = ['public', 'unlisted', 'private'] as const
export type TaskVisibility = (typeof taskVisibilities)[number]

/**
 * Visibilities of a task's submissions. Example: with `winner_only`, only the submissions of awarded workers are shown,
 * after the end of the task.
 */
export const submissionVisibilities = ['public', 'reveal_all', 'winner_only', 'never'] as const
export type SubmissionVisibility = (typeof submissionVisibilities)[number]
