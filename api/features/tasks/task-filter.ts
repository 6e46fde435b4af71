import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { Phase } from '../../domain/phase.ts'

/** What a task list may be narrowed to. Absent: not narrowed. Times are Unix seconds, amounts base units. */
export interface TaskFilter {
  status?: string
  phase?: Phase
  mode?: string
  auctionType?: string
  requesterActorType?: 'agent' | 'human'
  /** All of them. */
  tags?: string[]
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

/** Statuses that a task leaves only by somebody's act, and that its expiry makes actionable. */
const RUNNING = ['open', 'claimed', 'worker_selected']

/** What is looked up as a code rather than as words. */
const REFERENCE_CODE = /^TSK-[0-9A-Z]{8,}$/i

/** Whether a filter asks for texts: `taskConditions` then needs the content's columns as `c`. */
export function isFoundByContent({ tags, search }: TaskFilter): boolean {
  return (tags !== undefined && tags.length > 0) || (search !== undefined && !REFERENCE_CODE.test(search))
}

/** The conditions of a filter on task `t` and content `c`, each led by `and`. */
export function taskConditions(sql: Queryable, filter: TaskFilter, now: bigint) {
  const { mode, auctionType, tags, minReward, maxReward, expiresBy, requester, before } = filter
  return sql`
    ${statusIs(sql, filter.status, now)}
    ${phaseIs(sql, filter.phase, now)}
    ${mode === undefined ? sql`` : sql`and t.mode = ${mode}`}
    ${auctionType === undefined ? sql`` : sql`and t.auction_type = ${auctionType}`}
    ${requesterIs(sql, filter.requesterActorType)}
    ${tags === undefined || tags.length === 0 ? sql`` : sql`and c.tags @> ${tags}::text[]`}
    ${minReward === undefined ? sql`` : sql`and t.reward >= ${minReward.toString()}::numeric`}
    ${maxReward === undefined ? sql`` : sql`and t.reward <= ${maxReward.toString()}::numeric`}
    ${expiresBy === undefined ? sql`` : sql`and t.expiry_time > ${now} and t.expiry_time <= ${expiresBy}`}
    ${requester === undefined ? sql`` : sql`and t.requester = ${requester}`}
    ${workerIs(sql, filter.worker)}
    ${dropIs(sql, filter.taskDropId)}
    ${matches(sql, filter.search)}
    ${before === undefined ? sql`` : sql`and t.created_at_ms < ${before}`}`
}

/** Spec, "States and transitions": a list of running tasks leaves out those whose deadline has passed. */
function statusIs(sql: Queryable, status: TaskFilter['status'], now: bigint) {
  if (status === undefined) return sql``
  return RUNNING.includes(status)
    ? sql`and t.status = ${status} and t.expiry_time > ${now}`
    : sql`and t.status = ${status}`
}

/** Spec, "phase (derived)", as a condition. */
function phaseIs(sql: Queryable, phase: TaskFilter['phase'], now: bigint) {
  switch (phase) {
    case undefined:
      return sql``
    case 'active':
      return sql`and (t.status = 'pending_approval' or t.status in ${sql(RUNNING)} and t.expiry_time > ${now})`
    case 'awaiting_settlement':
      return sql`and t.status in ${sql(RUNNING)} and t.expiry_time <= ${now}`
    case 'in_review':
      return sql`and t.status in ('review', 'appealing', 'disputed')`
    case 'resolved':
      return sql`and t.status in ('completed', 'cancelled', 'expired')`
  }
}

function requesterIs(sql: Queryable, actorType: TaskFilter['requesterActorType']) {
  if (actorType === undefined) return sql``
  const isAgent = sql`exists (select from agent where address = t.requester and agent_id is not null)`
  return actorType === 'agent' ? sql`and ${isAgent}` : sql`and not ${isAgent}`
}

/** As a union, so that each half is an index look-up. */
function workerIs(sql: Queryable, worker: Address | undefined) {
  if (worker === undefined) return sql``
  return sql`and t.id in (
    select id from task where worker = ${worker}
    union
    select task_id from award where worker = ${worker})`
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

/** One or the other: a condition on both would keep the planner from either's index. */
function matches(sql: Queryable, search: string | undefined) {
  if (search === undefined) return sql``
  return REFERENCE_CODE.test(search)
    ? sql`and t.id = (select target_id from reference_code where code = upper(${search}) and kind = 'task')`
    : sql`and c.search @@ websearch_to_tsquery('english', ${search})`
}
