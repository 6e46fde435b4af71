import type { WorkPriority } from './work-items.ts'

/** The fields by which the action queue is ordered. `dueAt` is in Unix seconds, `createdAtMs` in Unix milliseconds. */
interface Ordered {
  priority?: WorkPriority
  dueAt: bigint | null
  createdAtMs: bigint
}

/**
 * Compares two entries of the action queue. Urgent entries are first. Then the entry with the earlier due time is
 * first, and entries without a due time are last. Then the newer task is first.
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
