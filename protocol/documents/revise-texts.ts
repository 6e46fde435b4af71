import type { TaskTexts } from './task-document.ts'

/** Texts that an update may change; absent: unchanged. Both visibilities are fixed for ever. */
export interface TextChanges {
  description?: string | undefined
  tags?: string[] | undefined
  metricDescription?: string | undefined
}

/** The texts of a task that was created by a direct chain call. Interface, "Other rules" (content joins). */
export const noTexts: TaskTexts = {
  description: '',
  tags: [],
  taskVisibility: 'unlisted',
  submissionVisibility: 'public',
  metricDescription: null,
  metricTarget: null,
}

/**
 * Returns the texts of a task after an update; null when it changes none of them.
 * Example: `reviseTexts(noTexts, { description: '' })` is null.
 */
export function reviseTexts(before: TaskTexts, changes: TextChanges): TaskTexts | null {
  const { description, tags, metricDescription } = changes
  const isSame =
    (description ?? before.description) === before.description &&
    (metricDescription ?? before.metricDescription) === before.metricDescription &&
    areEqual(tags ?? before.tags, before.tags)
  if (isSame) return null
  return {
    ...before,
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    ...(metricDescription !== undefined && { metricDescription }),
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
