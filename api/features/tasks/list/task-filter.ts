import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import type { ActorType } from '../../../domain/actor-type.ts'
import type { Phase } from '../../../domain/phase.ts'
import type { TagList } from './tag-query.ts'

/** What a task list may be narrowed to. Absent: not narrowed. Times are Unix seconds, amounts base units. */
export interface TaskFilter {
  status?: string
  phase?: Phase
  mode?: string
  auctionType?: string
  requesterActorType?: ActorType
  /** All of them, in any case. */
  tags?: string[]
  /** Of each its whole or all of its parts, in any case. */
  tagLists?: TagList[]
  minReward?: bigint
  maxReward?: bigint
  /** Expiring after now and by then. */
  expiresBy?: bigint
  requester?: Address
  /** Assigned or awarded. */
  worker?: Address
  /** In this drop. */
  taskDropId?: string
  /** Words, or a reference code. */
  search?: string
  /** Created before this `createdAtMs`. */
  before?: bigint
}

/** Statuses that a task leaves only by an action, and that its expiry makes actionable. */
const RUNNING = ['open', 'claimed', 'worker_selected']

/** What is looked up as a code rather than as words. */
const REFERENCE_CODE = /^TSK-[0-9A-Z]{8,}$/i

/** Whether a filter asks for texts: `taskConditions` then needs the content's columns as `c`. */
export function isFoundByContent({ tags = [], tagLists = [], search }: TaskFilter): boolean {
  return tags.length + tagLists.length > 0 || (search !== undefined && !REFERENCE_CODE.test(search))
}

/** Whether a filter says something of texts and nothing else, but what a cursor has passed. */
export function isOfTexts(filter: TaskFilter): boolean {
  const { tags, tagLists, search, before, ...others } = filter
  const isOfCode = search !== undefined && REFERENCE_CODE.test(search)
  return isFoundByContent(filter) && !isOfCode && Object.values(others).every((value) => value === undefined)
}

/**
 * A part of a list that one index holds in order: the parts together are what a filter says of status, phase and
 * worker.
 */
export interface TaskStream {
  /** One of these; several only of a worker, whose tasks are few. */
  states: [TaskState, ...TaskState[]]
  assignedTo?: Address
  awardedTo?: Address
}

/** What a filter says of status and phase. */
interface TaskState {
  status?: string
  /** Before its expiry, or not any more; absent: either. */
  isRunning?: boolean
}

/** The streams of a filter: one of everything when it leaves all of that open, none when it contradicts itself. */
export function listStreams(filter: TaskFilter): TaskStream[] {
  const { worker } = filter
  const [first, ...others] = listStates(filter)
  if (first === undefined) return []
  const states: TaskStream['states'] = [first, ...others]
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
export function streamCondition(sql: Queryable, { states, assignedTo, awardedTo }: TaskStream, now: bigint) {
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

/** What a filter says besides, on task `t` and content `c`, each part led by `and`; the cursor is left out. */
export function taskConditions(sql: Queryable, filter: TaskFilter, now: bigint) {
  return sql`${rowConditions(sql, filter, now)} ${textConditions(sql, filter)}`
}

/** The part of it that is about task `t` alone. */
export function rowConditions(sql: Queryable, filter: TaskFilter, now: bigint) {
  const { mode, auctionType, minReward, maxReward, expiresBy, requester } = filter
  return sql`
    ${mode === undefined ? sql`` : sql`and t.mode = ${mode}`}
    ${auctionType === undefined ? sql`` : sql`and t.auction_type = ${auctionType}`}
    ${requesterIs(sql, filter.requesterActorType)}
    ${minReward === undefined ? sql`` : sql`and t.reward >= ${minReward.toString()}::numeric`}
    ${maxReward === undefined ? sql`` : sql`and t.reward <= ${maxReward.toString()}::numeric`}
    ${expiresBy === undefined ? sql`` : sql`and t.expiry_time > ${now} and t.expiry_time <= ${expiresBy}`}
    ${requester === undefined ? sql`` : sql`and t.requester = ${requester}`}
    ${dropIs(sql, filter.taskDropId)}
    ${matchesCode(sql, filter.search)}`
}

/**
 * What a filter says of texts, on content `c`, each part led by `and`.
 * @param plan `kept`: made without the values, so that the words have to be parsed apart or are parsed for each row;
 * `own`: the planner knows how frequent the words are
 */
export function textConditions(
  sql: Queryable,
  { tags = [], tagLists = [], search }: TaskFilter,
  plan: 'kept' | 'own' = 'own',
) {
  const isOfWords = search !== undefined && !REFERENCE_CODE.test(search)
  const words = sql`service.search_query(${search ?? ''})`
  // A value of a kept plan is not known when it is made: folded once, not for each row.
  const folded = (texts: string[]) => sql`service.folded_tags(${texts}::text[])`
  const hasAll = (texts: string[]) =>
    sql`c.folded_tags @> ${plan === 'own' ? folded(texts) : sql`(select ${folded(texts)})`}`
  const either = (whole: ReturnType<typeof hasAll>, parts: string[]) =>
    parts.length === 0 ? whole : sql`(${whole} or ${hasAll(parts)})`
  return sql`
    ${tags.length === 0 ? sql`` : sql`and ${hasAll(tags)}`}
    ${tagLists.reduce((sum, { whole, parts }) => sql`${sum} and ${either(hasAll([whole]), parts)}`, sql``)}
    ${isOfWords ? sql`and c.search @@ ${plan === 'own' ? words : sql`(select ${words})`}` : sql``}`
}

function requesterIs(sql: Queryable, actorType: TaskFilter['requesterActorType']) {
  if (actorType === undefined) return sql``
  const isAgent = sql`exists (select from agent where address = t.requester and agent_id is not null)`
  return actorType === 'agent' ? sql`and ${isAgent}` : sql`and not ${isAgent}`
}

/** The drop's tasks by their keys: a drop is small beside all tasks. Those created unlisted are none of its list. */
function dropIs(sql: Queryable, dropId: string | undefined) {
  if (dropId === undefined) return sql``
  return sql`and t.id = any(array(
    select task.id
    from service.task_drop_members member
    join task on task.requester = member.requester and task.created_content_hash = member.created_content_hash
    where member.drop_id = ${dropId} and member.task_visibility = 'public'))`
}

/** A code or words: a condition on both would keep the planner from either's index. */
function matchesCode(sql: Queryable, search: string | undefined) {
  if (search === undefined || !REFERENCE_CODE.test(search)) return sql``
  return sql`and t.id = (select target_id from reference_code where code = upper(${search}) and kind = 'task')`
}
