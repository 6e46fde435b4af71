/**
 * Statuses of a task, in the order of the contract's enum `Status` without `None` (specification, "States and
 * transitions"; interface specification, "Evaluator flow").
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

/** Statuses of a task that has ended. */
export const terminalStatuses = ['completed', 'expired', 'cancelled'] as const satisfies readonly TaskStatus[]

/**
 * The changes of status that each event can make, as pairs [status before, status after]. A pair with two equal
 * statuses means that the event may leave the status unchanged.
 */
export const statusMoves = {
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
    // A contest receives its verdict while it is open.
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
    // A delivery that no party decided for 90 days.
    ['review', 'completed'],
    ['appealing', 'completed'],
    ['disputed', 'completed'],
    // Each award has an event: the first ends the task, the others keep the status.
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

export type MovingEvent = keyof typeof statusMoves

/**
 * Returns the name of a value of the contract's enum `Status` (the status of a task). Example: `toTaskStatus(1)` is
 * `open`.
 * @throws if the number is `None` or is not in the enum; our own contract never logs such a number
 */
export function toTaskStatus(contractStatus: number): TaskStatus {
  const status = taskStatuses[contractStatus - 1]
  if (status === undefined) throw new Error(`the market logged status ${contractStatus}`)
  return status
}

/**
 * Checks that `event` may change a task's status from `from` to `to`, and returns `to`.
 * Example: `moveStatus('VerdictAppealed', 'appealing', 'disputed')` is `disputed`.
 * @throws if the change is not in `statusMoves`, because the contract never makes it
 */
export function moveStatus(event: MovingEvent, from: TaskStatus, to: TaskStatus): TaskStatus {
  const allowedMoves: readonly (readonly [TaskStatus, TaskStatus])[] = statusMoves[event]
  if (allowedMoves.some(([before, after]) => before === from && after === to)) return to
  throw new Error(`${event} moved a task from ${from} to ${to}`)
}

/**
 * Returns whether a task has ended. After the end, only the ratings of a task can change. Example: true for `expired`.
 */
export function isTerminal(status: TaskStatus): boolean {
  return (terminalStatuses as readonly TaskStatus[]).includes(status)
}

/**
 * Converts a stored text to a status. Example: `parseTaskStatus('open')`.
 * @throws if the text is no status
 */
export function parseTaskStatus(value: string): TaskStatus {
  const status = taskStatuses.find((candidate) => candidate === value)
  if (status === undefined) throw new Error(`a row holds the status ${value}`)
  return status
}
