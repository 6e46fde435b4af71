import type { WorkPriority } from './work-items.ts'

/** The fields by which the action queue is ordered. `dueAt` is in Unix seconds, `createdAtMs` in Unix milliseconds. */
interface Ordered {
  priority?: WorkPriority
  dueAt: bigint | null
  createdAtMs: bigint
}

/**
 * Compares two entries of the action queue. Urgent entries come first, then the earlier due time, then the newer task.
 * Entries without a due time come after entries with a due time.
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
