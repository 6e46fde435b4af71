import type { Address } from 'viem'
import type { Phase } from '../../../../protocol/phase.ts'
import type { Queryable } from '../../../db/client.ts'
import type { TaskFilter } from '../../task-filters.ts'

/** Statuses that a task leaves only by an action, and that its expiry makes actionable. */
const RUNNING = ['open', 'claimed', 'worker_selected']

/**
 * A part of a list that one index holds in order: the parts together are what a filter says of status, phase and
 * worker.
 */
export interface ListStream {
  /** One of these; several only of a worker, whose tasks are few. */
  states: [TaskState, ...TaskState[]]
  assignedTo?: Address
  awardedTo?: Address
}

/** The statuses and phases that a filter admits. */
interface TaskState {
  status?: string
  /** Before its expiry, or not any more; absent: either. */
  isRunning?: boolean
}

/** The streams of a filter: one of everything when it leaves all of that open, none when it contradicts itself. */
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
 * Spec, "phase (derived)", and "States and transitions": a list of running tasks leaves out those past their deadline.
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

/** The condition of one stream on task `t`, and on award `a` where it is of awards. */
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
