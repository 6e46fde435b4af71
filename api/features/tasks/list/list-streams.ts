import type { Address } from 'viem'
import type { Phase } from '../../../../protocol/phase.ts'
import type { Queryable } from '../../../db/client.ts'
import type { TaskFilter } from '../../task-filters.ts'

/**
 * The statuses of tasks that wait for an action. A task with such a status keeps the status at its expiry, until an
 * action changes it. Before and after the expiry, different actions are possible.
 */
const RUNNING = ['open', 'claimed', 'worker_selected']

/**
 * A stream: a part of a list whose tasks one index has in order. Together, the streams of a list contain exactly the
 * tasks that the filters by status, phase and worker select.
 */
export interface ListStream {
  /** The states of which a task has one. There are several states only in a stream of one worker, who has few tasks. */
  states: [TaskState, ...TaskState[]]
  assignedTo?: Address
  awardedTo?: Address
}

/** A status, and whether the tasks are before their expiry. Each field that is absent admits all tasks. */
interface TaskState {
  status?: string
  /** True for tasks before their expiry, false for tasks after it. Absent for both. */
  isRunning?: boolean
}

/**
 * Returns the streams of a filter. There is a single stream of all tasks if the filter has neither a status nor a phase
 * nor a worker. There are no streams if the filters contradict each other.
 */
export function listStreams(filter: TaskFilter): ListStream[] {
  const { worker } = filter
  const [first, ...others] = listStates(filter)
  if (first === undefined) return []
  const states: ListStream['states'] = [first, ...others]
  if (worker === undefined) return states.map((state) => ({ states: [state] }))
  const assigned = { states, assignedTo: worker }
  // An award completes its task.
  const isAwardable = states.some(({ status }) => status === undefined || status === 'completed')
  return isAwardable ? [assigned, { states: [{}], awardedTo: worker }] : [assigned]
}

/**
 * Lists the states that the filters by status and phase select. A filter by a status in `RUNNING` leaves out the tasks
 * that are past their deadline. See the specification, "phase (derived)", and "States and transitions".
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
 * Returns the SQL condition of one stream on task `t`. If the stream is one of awards, the condition is also on award
 * `a`.
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
