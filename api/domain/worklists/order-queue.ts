import type { WorkPriority } from './work-items.ts'

/** The fields that order the queue. Times in Unix seconds, creation in milliseconds. */
interface Ordered {
  priority?: WorkPriority
  dueAt: bigint | null
  createdAtMs: bigint
}

/**
 * Compares two entries of the queue: urgent first, then the earlier due time, then the newer task. Entries without a
 * due time come after those with one.
 */
export function compareQueued(one: Ordered, other: Ordered): number {
  const urgency = Number(other.priority === 'urgent') - Number(one.priority === 'urgent')
  if (urgency !== 0) return urgency
  if (one.dueAt !== other.dueAt) {
    if (one.dueAt === null) return 1
    if (other.dueAt === null) return -1
    return one.dueAt < other.dueAt ? -1 : 1
  }
  return Number(other.createdAtMs - one.createdAtMs)
}
