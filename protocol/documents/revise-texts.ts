import type { TaskTexts } from './task-document.ts'

/**
 * Texts that an update of a task may change. An absent text stays unchanged. The fields `taskVisibility` and
 * `submissionVisibility` of `TaskTexts` are not here, because they can never change.
 */
export interface TextChanges {
  description?: string | undefined
  tags?: string[] | undefined
  metricDescription?: string | undefined
}

/**
 * The default texts of a task that the requester created by a direct contract call (interface specification, "Other
 * rules"). The service does not know the real texts of such a task.
 */
export const noTexts: TaskTexts = {
  description: '',
  tags: [],
  taskVisibility: 'unlisted',
  submissionVisibility: 'public',
  metricDescription: null,
  metricTarget: null,
}

/**
 * Returns the texts of a task after an update; null if the update changes no text.
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
