import { expect, test } from 'vitest'
import { compareQueued } from '../../../../api/domain/worklists/order-queue.ts'

test('given items, then urgent ones come first, then what is due first, then the newest', () => {
  const sorted = [
    { name: 1, priority: 'urgent', dueAt: 5n, createdAtMs: 1n },
    { name: 2, priority: 'urgent', dueAt: 9n, createdAtMs: 2n },
    { name: 3, priority: 'urgent', dueAt: null, createdAtMs: 3n },
    { name: 4, priority: 'follow_up', dueAt: 1n, createdAtMs: 1n },
    { name: 5, priority: 'required', dueAt: 2n, createdAtMs: 9n },
    { name: 6, priority: 'required', dueAt: 2n, createdAtMs: 8n },
    { name: 7, priority: 'follow_up', dueAt: null, createdAtMs: 7n },
    { name: 8, priority: 'required', dueAt: null, createdAtMs: 6n },
  ] as const
  for (const order of [sorted, sorted.toReversed()]) expect(order.toSorted(compareQueued)).toEqual(sorted)
})
