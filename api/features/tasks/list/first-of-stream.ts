import type { Queryable } from '../../../db/client.ts'
import { conditionsOn, isInOrder, isNarrow, type TaskFilter } from '../../task-filters.ts'
import { alongIndex, type Part, type Walk } from './along-index.ts'
import { type ListStream, streamCondition } from './list-streams.ts'
import { foundColumns, isOfTask, publicContent, type Texts } from './listed-tasks.ts'
import { isBehind, orderBy, type SortKey, type TaskPosition } from './task-cursor.ts'

interface StreamPage {
  stream: ListStream
  texts: Texts
  key: SortKey
  isRanked: boolean
  limit: number
  now: bigint
  /** The end of the page before, in another order than that of creation. */
  after?: TaskPosition | undefined
}

/**
 * The first tasks of a stream in an order that match: rows of `foundColumns`. Along the index of rare words and tags, unless
 * another filter leaves few tasks; else along the index of the order.
 */
export function firstOfStream(sql: Queryable, filter: TaskFilter, page: StreamPage): Part {
  const { stream, texts, key } = page
  if (texts.kind === 'covered' && !texts.isFrequent && !isNarrow(filter)) return alongWords(sql, filter, page)
  const tasks = inOrder(sql, filter, page)
  const isOfRunning = stream.assignedTo === undefined && stream.states[0].isRunning === true
  return isOfRunning && key === 'newest' && texts.kind !== 'uncovered'
    ? alongRunning(sql, filter, { page, tasks })
    : alongIndex(sql, tasks)
}

/**
 * All that have the words or tags, from the index of these, put in order. In the order of creation they are sorted before
 * they are joined, and joined until the page is full. The planner alone would walk along all tasks for a word that the
 * statistics do not know because no text has it.
 */
function alongWords(
  sql: Queryable,
  filter: TaskFilter,
  { stream, key, isRanked, limit, now, after }: StreamPage,
): Part {
  const reading = { now, plan: 'own' } as const
  return sql`
    (select ${foundColumns(sql, isRanked)}
    from (
      select *, c.created_at_ms + 0 as place from service.task_search c
      where true ${createdBefore(sql, sql`c.created_at_ms`, filter)} ${conditionsOn(sql, filter, { on: 'texts', ...reading })}
      order by c.created_at_ms + 0 desc
    ) as c
    join task t on t.id = c.task_id and ${isOfTask(sql)}
    where t.listed and ${streamCondition(sql, stream, now)} ${conditionsOn(sql, filter, { on: 'task', ...reading })}
      ${isBehind(sql, key, after)}
    order by ${key === 'newest' ? sql`c.place desc` : orderBy(sql, key)} limit ${limit})`
}

/** The matching tasks of a stream, along the index of the order, or what a narrower one finds. */
function inOrder(sql: Queryable, filter: TaskFilter, page: StreamPage): Walk {
  const { stream, texts, key, isRanked, limit, now, after } = page
  const isOfAwards = stream.awardedTo !== undefined
  const createdAtMs = isOfAwards
    ? sql`a.task_created_at_ms`
    : // Tasks of a worker, a status or a mode may be far from the newest that have the words.
      texts.kind === 'covered' && !isInOrder(filter)
      ? sql`c.created_at_ms`
      : sql`t.created_at_ms`
  const reading = { now, plan: 'own' } as const
  return {
    columns: foundColumns(sql, isRanked),
    from: sql`${isOfAwards ? sql`award a join task t on t.id = a.task_id` : sql`task t`} ${publicContent(sql, texts)}`,
    where: sql`
      t.listed and ${streamCondition(sql, stream, now)}
      ${texts.kind === 'uncovered' ? sql`and t.id = any(${texts.ids}::text[])` : sql``}
      ${createdBefore(sql, createdAtMs, filter)} ${isBehind(sql, key, after)}
      ${conditionsOn(sql, filter, { on: 'task', ...reading })} ${conditionsOn(sql, filter, { on: 'texts', ...reading })}`,
    order: key === 'newest' ? sql`${createdAtMs} desc` : orderBy(sql, key),
    limit,
  }
}

/** The farthest place in the order of creation at which a running task is searched. */
const NEAR = 1000

/**
 * The newest of a stream of running tasks. They are among the newest of their status, or few: where the newest do not
 * fill the page, all that run are taken by their expiry and sorted. One plan alone would, deep in the list, walk along
 * everything that expired and was never settled.
 */
function alongRunning(sql: Queryable, filter: TaskFilter, { page, tasks }: { page: StreamPage; tasks: Walk }): Part {
  const { stream, texts, limit } = page
  const newest = alongIndex(sql, {
    columns: sql`*`,
    from: sql`task t`,
    where: sql`
      t.listed and t.status = ${stream.states[0].status ?? ''} ${createdBefore(sql, sql`t.created_at_ms`, filter)}`,
    order: sql`t.created_at_ms desc`,
    limit: NEAR,
  })
  const near = alongIndex(sql, { ...tasks, from: sql`${newest} as t ${publicContent(sql, texts)}` })
  const far = alongIndex(sql, {
    ...tasks,
    where: sql`(select count(*) from near) < ${limit} and ${tasks.where}`,
    order: sql`t.created_at_ms + 0 desc`,
  })
  return sql`(with near as materialized ${near}, far as ${far} select * from near union select * from far)`
}

function createdBefore(sql: Queryable, createdAtMs: Part, { before }: TaskFilter): Part {
  return before === undefined ? sql`` : sql`and ${createdAtMs} < ${before}`
}
