import { expect, test } from 'vitest'
import { type Phase, phaseOf } from '../../../protocol/phase.ts'
import { type TaskStatus, taskStatuses } from '../../../protocol/rules/task-status.ts'
import { EXPIRY } from '../../support/task-snapshots.ts'

const table: Record<TaskStatus, [before: Phase, from: Phase]> = {
  open: ['active', 'awaiting_settlement'],
  claimed: ['active', 'awaiting_settlement'],
  worker_selected: ['active', 'awaiting_settlement'],
  pending_approval: ['active', 'active'],
  review: ['in_review', 'in_review'],
  appealing: ['in_review', 'in_review'],
  disputed: ['in_review', 'in_review'],
  completed: ['resolved', 'resolved'],
  cancelled: ['resolved', 'resolved'],
  expired: ['resolved', 'resolved'],
}

test.each(taskStatuses)(
  'given a task that is %s, when its expiry comes, then its phase changes in that second',
  (status) => {
    const [before, from] = table[status]
    expect(phaseOf({ status, expiryTime: EXPIRY }, EXPIRY - 1n)).toBe(before)
    expect(phaseOf({ status, expiryTime: EXPIRY }, EXPIRY)).toBe(from)
    expect(phaseOf({ status, expiryTime: EXPIRY }, EXPIRY + 1n)).toBe(from)
  },
)
