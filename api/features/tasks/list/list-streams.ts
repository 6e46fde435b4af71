import type { Address } from 'viem'
import type { Phase } from '../../../../protocol/phase.ts'
import type { Queryable } from '../../../db/client.ts'
import type { TaskFilter } from '../../task-filters.ts'

/**
 * The statuses of tasks that wait for an action. After its expiry, a task keeps such a status until an action changes
 * the status.
 */
const RUNNING = ['open', 'claimed', 'worker_selected']

/**
 * A stream: a part of a list whose tasks are in the order of one index. The streams of a list together contain the
 * tasks that match the filters by status, phase and worker.
 */
export interface ListStream {
  /**
   * The states of the stream's tasks. A list of all workers has one stream for each state. A list of one worker has few
   * tasks, so one stream has all the states.
   */
  states: [TaskState, ...TaskState[]]
  assignedTo?: Address
  awardedTo?: Address
}

/** A status of tasks, and whether the tasks are before or after their expiry. An absent field admits all tasks. */
interface TaskState {
  status?: string
  /** True for tasks before their expiry, false for tasks after their expiry. Absent for all tasks. */
  isRunning?: boolean
}

/**
 * Returns the streams of a filter. A filter without status, phase and worker has one stream, of all tasks. A filter
 * that contradicts itself has no stream.
 */
export function listStreams(filter: TaskFilter): ListStream[] {
  const { worker } = filter
  const [first, ...others] = listStates(filter)
  if (first === undefined) return []
  const states: ListStream['states'] = [first, ...others]
  if (worker === undefined) return states.map((state) => ({ states: [state] }))
  const assignment = { states, assignedTo: worker }
  // An award completes its task.
  const isAwardable = states.some(({ status }) => status === undefined || status === 'completed')
  return isAwardable ? [assignment, { states: [{}], awardedTo: worker }] : [assignment]
}

/**
 * Lists the states that the filters by status and phase select. A filter by a status in `RUNNING` selects only tasks
 * before their deadline. See the specification, "phase (derived)", and "States and transitions".
 */
function listStates({ status, phase }: TaskFilter): TaskState[] {
  const ofPhase = phase === undefined ? undefined : phaseStates[phase]
  if (status === undefined) return ofPhase ?? [{}]
  const ofStatus = RUNNING.includes(status) ? { status, isRunning: true } : { status }
  const isOfPhase = ofPhase?.some((state) => state.status === status && state.isRunning === ofStatus.isRunning)
  return isOfPhase === false ? [] : [ofStatus]
}

const phaseStates: Record<Phase, TaskState[]> = {
  active: [...RUNNING.map((status) => ({ status, isRunning: true })), { status: 'pending_approval' }],
  awaiting_settlement: RUNNING.map((status) => ({ status, isRunning: false })),
  in_review: [{ status: 'review' }, { status: 'appealing' }, { status: 'disputed' }],
  resolved: [{ status: 'completed' }, { status: 'cancelled' }, { status: 'expired' }],
}

/**
 * Returns the SQL condition under which task `t` belongs to a stream. If the stream contains the tasks that were
 * awarded to a worker (`awardedTo`), the statement must join the awards as `a`, and the condition also requires that
 * `a` is an award to this worker.
 */
export function streamCondition(sql: Queryable, { states, assignedTo, awardedTo }: ListStream, now: bigint) {
  const [first, ...others] = states
  const ofFirst = stateCondition(sql, first, now)
  const either = others.reduce((sum, state) => sql`${sum} or ${stateCondition(sql, state, now)}`, ofFirst)
  // Hidden from the planner, which would read everything of each state: the worker's newest are soon a page.
  const anyState = others.length === 0 ? ofFirst : sql`coalesce(${either}, false)`
  return sql`
    ${anyState}
    ${assignedTo === undefined ? sql`` : sql`and t.worker = ${assignedTo}`}
    ${awardedTo === undefined ? sql`` : sql`and a.worker = ${awardedTo}`}`
}

function stateCondition(sql: Queryable, { status, isRunning }: TaskState, now: bigint) {
  if (status === undefined) return sql`true`
  const ofStatus = sql`t.status = ${status}`
  if (isRunning === undefined) return ofStatus
  return sql`${ofStatus} and ${isRunning ? sql`t.expiry_time > ${now}` : sql`t.expiry_time <= ${now}`}`
}
