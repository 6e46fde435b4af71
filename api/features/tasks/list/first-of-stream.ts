import type { Queryable } from '../../../db/client.ts'
import { isBehind, type SortKey, type TaskPosition } from './task-cursor.ts'
import {
  isOfTexts,
  rowConditions,
  streamCondition,
  type TaskFilter,
  type TaskStream,
  taskConditions,
  textConditions,
} from './task-filter.ts'

/**
 * Where a task's texts are looked at: task by task; by them, in the stored contents; in the table of words and tags; or
 * in the contents of the few tasks that this table does not cover.
 */
export type Texts =
  | { kind: 'by task' | 'by text' }
  | { kind: 'covered'; isFrequent: boolean }
  | { kind: 'uncovered'; ids: string[] }

interface StreamPage {
  stream: TaskStream
  texts: Texts
  key: SortKey
  isRanked: boolean
  limit: number
  now: bigint
  /** The end of the page before, in another order than that of creation. */
  after?: TaskPosition | undefined
}

/**
 * The first tasks of a stream in an order that match: rows of `foundColumns`.
 * @param filter what they match, beside the stream
 */
export function firstOfStream(sql: Queryable, filter: TaskFilter, page: StreamPage) {
  const { stream, texts, key } = page
  // A worker's tasks are few, and an index holds them in order.
  const isOfWorker = stream.assignedTo !== undefined || stream.awardedTo !== undefined
  if (isOfWorker || texts.kind === 'uncovered') return sql`(${firstInOrder(sql, filter, page)})`
  if (texts.kind === 'covered' && key !== 'newest') return firstOfFew(sql, filter, { ...page, ...texts })
  if (texts.kind === 'covered' && !texts.isFrequent) return firstOfRareWords(sql, filter, page)
  if (key === 'newest' && stream.states[0].isRunning === true) return firstOfRunning(sql, filter, page)
  return sql`(${firstInOrder(sql, filter, page)})`
}

/** The first of a stream, by a plan that goes along the index of its order or sorts what a narrower one finds. */
function firstInOrder(sql: Queryable, filter: TaskFilter, page: StreamPage) {
  const { stream, texts, key, isRanked, limit, now, after } = page
  const isOfAwards = stream.awardedTo !== undefined
  // The one that is in an index beside what finds the stream: of a worker, a status or a mode, tasks of which may be far
  // from the newest that have the words.
  const narrowedBy = stream.assignedTo ?? stream.states[0].status ?? filter.mode ?? filter.auctionType
  const isAlongTexts = texts.kind === 'covered' && narrowedBy === undefined
  const createdAtMs = isOfAwards
    ? sql`a.task_created_at_ms`
    : isAlongTexts
      ? sql`c.created_at_ms`
      : sql`t.created_at_ms`
  return sql`
    select ${foundColumns(sql, isRanked)}
    from ${isOfAwards ? sql`award a join task t on t.id = a.task_id` : sql`task t`}
    ${publicContent(sql, texts)}
    where t.listed and ${streamCondition(sql, stream, now)} ${isUncovered(sql, texts)}
      ${filter.before === undefined ? sql`` : sql`and ${createdAtMs} < ${filter.before}`}
      ${isBehind(sql, key, after)}
      ${taskConditions(sql, filter, now)}
    order by ${key === 'newest' ? sql`${createdAtMs} desc` : orderBy(sql, key)} limit ${limit}`
}

/** How far back a running task is looked for in the order of creation. */
const NEAR = 1000

/**
 * The newest of a stream of running tasks. They are among the newest of their status, or few: where the newest do not
 * fill the page, all that run are taken by their expiry and sorted. One plan alone would, deep in the list, walk along
 * everything that expired and was never settled.
 */
function firstOfRunning(sql: Queryable, filter: TaskFilter, page: StreamPage) {
  const { stream, texts, isRanked, limit, now } = page
  const before = filter.before === undefined ? sql`` : sql`and t.created_at_ms < ${filter.before}`
  return sql`
    (with near as materialized (
      select ${foundColumns(sql, isRanked)}
      from (
        select * from task t where t.listed and t.status = ${stream.states[0].status ?? ''} ${before}
        order by t.created_at_ms desc limit ${NEAR}
      ) as t
      ${publicContent(sql, texts)}
      where ${streamCondition(sql, stream, now)} ${taskConditions(sql, filter, now)}
      order by t.created_at_ms desc limit ${limit}
    ), far as (
      select ${foundColumns(sql, isRanked)}
      from task t
      ${publicContent(sql, texts)}
      where (select count(*) from near) < ${limit}
        and t.listed and ${streamCondition(sql, stream, now)} ${before} ${taskConditions(sql, filter, now)}
      order by t.created_at_ms + 0 desc limit ${limit}
    )
    select * from near union select * from far)`
}

/**
 * The newest of a stream by words or tags of which no page is among the newest tasks: all that match are taken from the
 * index of words. The planner would walk along all tasks for a word that the statistics do not know because no text has
 * it, and join before it sorts.
 */
function firstOfRareWords(sql: Queryable, filter: TaskFilter, page: StreamPage) {
  const { stream, texts, isRanked, limit, now } = page
  const before = filter.before === undefined ? sql`` : sql`and c.created_at_ms < ${filter.before}`
  if (isOfTexts(filter)) {
    return sql`
      (select ${foundColumns(sql, isRanked)}
      from (
        select *, c.created_at_ms + 0 as place from service.task_search c
        where true ${before} ${textConditions(sql, filter)}
        order by c.created_at_ms + 0 desc
      ) as c
      join task t on t.id = c.task_id and ${isOfTask(sql)}
      where t.listed
      order by c.place desc limit ${limit})`
  }
  return sql`
    (select ${foundColumns(sql, isRanked)}
    from task t ${publicContent(sql, texts)}
    where t.listed and ${streamCondition(sql, stream, now)} ${before} ${taskConditions(sql, filter, now)}
    order by c.created_at_ms + 0 desc limit ${limit})`
}

/** How many tasks are few: of frequent words, and of others. It takes as long to look at these as along an order. */
const FEW = { ofFrequent: 1000, ofOthers: 4000 }

/**
 * The first of a stream by words or tags in another order than that of creation. Whether they are few among all tasks
 * is not in the statistics of words that no text has, or that were new of late: they are counted up to a bound. Few are
 * all taken and sorted; others are soon met along the index of the order.
 */
function firstOfFew(sql: Queryable, filter: TaskFilter, page: StreamPage & { isFrequent: boolean }) {
  const { stream, key, limit, now, after, isFrequent } = page
  const few = isFrequent ? FEW.ofFrequent : FEW.ofOthers
  const before = filter.before === undefined ? sql`` : sql`and c.created_at_ms < ${filter.before}`
  return sql`
    (with matching as materialized (
      select task_id, content_hash, created_at_ms from service.task_search c
      where true ${before} ${textConditions(sql, filter)} limit ${few + 1}
    ), found as (
      select ${foundColumns(sql, false)}
      from matching c join task t on t.id = c.task_id and ${isOfTask(sql)}
      where (select count(*) from matching) <= ${few}
        and t.listed and ${streamCondition(sql, stream, now)} ${rowConditions(sql, filter, now)}
        ${isBehind(sql, key, after)}
      order by ${orderBy(sql, key)} limit ${limit}
    ), met as (
      select * from (${firstInOrder(sql, filter, page)}) as t where (select count(*) from matching) > ${few}
    )
    select * from found union all select * from met)`
}

/** What pages are put in order by, and what versions are read with. */
export function foundColumns(sql: Queryable, isRanked: boolean) {
  return sql`
    t.id, t.created_at_ms, t.reward, t.expiry_time, t.row_version, t.requester, t.worker, t.primary_worker,
    t.content_hash, t.created_content_hash ${isRanked ? sql`, c.search` : sql``}`
}

/**
 * The content of public tasks as `c`. A direct chain call can put the hash of a public task's texts into any other task
 * of the same requester; only one that was created to be listed is listed. Where the content is not what narrows the
 * list, it is looked up task by task. Where it is, the planner chooses which side to begin with. It takes the columns
 * of a key for independent, and would expect next to no rows of a join on several; of what `coalesce` hides it expects
 * half. The hash alone tells nearly every text from the others (migration 0015).
 */
function publicContent(sql: Queryable, texts: Texts) {
  switch (texts.kind) {
    case 'by task':
    case 'uncovered':
      return sql`
        cross join lateral (
          select ${texts.kind === 'by task' ? sql`` : sql`folded_tags, search`} from service.task_content
          where content_hash = t.content_hash and requester = t.requester and task_visibility = 'public'
          limit 1) as c`
    case 'by text':
      return sql`
        join service.task_content c
          on c.content_hash = t.content_hash and coalesce(c.requester = t.requester, false)
          and c.task_visibility = 'public'`
    case 'covered':
      return sql`
        join service.task_search c
          on c.task_id = t.id and ${isOfTask(sql)}`
  }
}

/** Whether a row of words and tags is still of its task; as above, the planner expects half. */
function isOfTask(sql: Queryable) {
  return sql`coalesce(c.content_hash = t.content_hash and c.created_at_ms = t.created_at_ms, false)`
}

function isUncovered(sql: Queryable, texts: Texts) {
  return texts.kind === 'uncovered' ? sql`and t.id = any(${texts.ids}::text[])` : sql``
}

/**
 * Every order is total: no two tasks were created in the same millisecond. Each is an index, read in either direction.
 */
export function orderBy(sql: Queryable, order: SortKey) {
  switch (order) {
    case 'newest':
      return sql`t.created_at_ms desc`
    case 'reward_desc':
      return sql`t.reward desc, t.created_at_ms desc`
    case 'reward_asc':
      return sql`t.reward, t.created_at_ms`
    case 'deadline_asc':
      return sql`t.expiry_time, t.created_at_ms`
  }
}
