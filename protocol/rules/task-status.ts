/**
 * Where a task stands, in the order of the contract's `Status` enum less its `None`.
 * Spec, "States and transitions"; the interface document, "Evaluator flow".
 */
export const taskStatuses = [
  'open',
  'claimed',
  'worker_selected',
  'pending_approval',
  'review',
  'appealing',
  'disputed',
  'completed',
  'expired',
  'cancelled',
] as const

export type TaskStatus = (typeof taskStatuses)[number]

export const terminalStatuses = ['completed', 'expired', 'cancelled'] as const satisfies readonly TaskStatus[]

/** The events that give a task its status: from which to which. One that keeps the status lists that pair too. */
const moves = {
  TaskWorkerSelected: [
    ['open', 'claimed'],
    ['open', 'worker_selected'],
  ],
  TaskReopened: [['claimed', 'open']],
  TaskSubmitted: [
    ['open', 'open'],
    ['claimed', 'pending_approval'],
    ['claimed', 'review'],
    ['worker_selected', 'pending_approval'],
    ['worker_selected', 'review'],
  ],
  VerdictIssued: [
    // A contest is judged while it is open.
    ['open', 'appealing'],
    ['review', 'appealing'],
  ],
  VerdictAppealed: [['appealing', 'disputed']],
  EvaluatorTimedOut: [
    ['open', 'open'],
    ['review', 'pending_approval'],
  ],
  TaskCompleted: [
    ['open', 'completed'],
    ['pending_approval', 'completed'],
    // A delivery without an answer for 90 days.
    ['review', 'completed'],
    ['appealing', 'completed'],
    ['disputed', 'completed'],
    // One event an award: the first ends the task, the others find it ended.
    ['completed', 'completed'],
  ],
  TaskCancelled: [
    ['open', 'cancelled'],
    ['appealing', 'cancelled'],
    ['disputed', 'cancelled'],
  ],
  TaskExpired: [
    ['open', 'expired'],
    ['claimed', 'expired'],
    ['worker_selected', 'expired'],
    ['pending_approval', 'expired'],
    ['review', 'expired'],
  ],
} as const satisfies Record<string, readonly (readonly [TaskStatus, TaskStatus])[]>

export type MovingEvent = keyof typeof moves

/**
 * The status of the contract's enum value.
 * @throws for `None` and values beyond the enum: our own contract never logs them
 */
export function toTaskStatus(contractStatus: number): TaskStatus {
  const status = taskStatuses[contractStatus - 1]
  if (status === undefined) throw new Error(`the market logged status ${contractStatus}`)
  return status
}

/**
 * Checks that `event` may move a task from `from` to `to`, and returns `to`.
 * @throws when the contract made a move that its own state machine forbids
 */
export function moveStatus(event: MovingEvent, from: TaskStatus, to: TaskStatus): TaskStatus {
  const allowed: readonly (readonly [TaskStatus, TaskStatus])[] = moves[event]
  if (allowed.some(([before, after]) => before === from && after === to)) return to
  throw new Error(`${event} moved a task from ${from} to ${to}`)
}

/** Whether nothing can happen to the task any more but ratings. */
export function isTerminal(status: TaskStatus): boolean {
  return (terminalStatuses as readonly TaskStatus[]).includes(status)
}

/** Narrows a stored status. @throws when the row holds something else */
export function parseTaskStatus(value: string): TaskStatus {
  const status = taskStatuses.find((candidate) => candidate === value)
  if (status === undefined) throw new Error(`a row holds the status ${value}`)
  return status
}
