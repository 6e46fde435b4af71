import type { WorkPriority } from './work-items.ts'

/** What an entry of the queue is put in order by. Times in Unix seconds, creation in milliseconds. */
interface Ordered {
  priority?: WorkPriority
  dueAt: bigint | null
  createdAtMs: bigint
}

/** Urgent first, then what is due first, then the newest task; what is never due comes after what is. */
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
