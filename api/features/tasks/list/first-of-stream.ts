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
  /**
   * The position of the last task on the previous page. Absent on the first page. Also absent if the list is in the
   * order of creation, because `filter.before` then contains the position.
   */
  after?: TaskPosition | undefined
}

/**
 * Returns the SQL that selects the first matching tasks of one stream, in the order of the list. A stream is a part of
 * the list (`ListStream`). The columns are those of `foundColumns`. If the filter has words or tags that few tasks
 * have, and no set filter is narrow (`isNarrow`), the index of words or tags finds the tasks. Otherwise, the tasks are
 * read along an index that has the order of the list.
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

/** Returns the SQL that finds the tasks by the index of words or tags, and sorts the tasks. */
function alongWords(
  sql: Queryable,
  filter: TaskFilter,
  { stream, key, isRanked, limit, now, after }: StreamPage,
): Part {
  // The texts are sorted before the join, so the join ends when the page is full. The planner has no statistics for a
  // word that no text contains. With a plain join, it would then read all tasks in order.
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

/**
 * Returns the query that reads the matching tasks of a stream in the order of the list. The database may choose another
 * plan: if few tasks match one of the filters, the database may find these tasks by the filter's index, and then sort
 * the tasks.
 */
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

/** The search for running tasks first looks at only this many tasks: the newest tasks with the requested status. */
const NEAR = 1000

/**
 * Returns the SQL that selects the newest running tasks of a stream. A running task is before its expiry. The statement
 * first searches the `NEAR` newest tasks with the status of the stream. If it finds too few running tasks for a page,
 * it reads all running tasks and sorts them.
 */
function alongRunning(sql: Queryable, filter: TaskFilter, { page, tasks }: { page: StreamPage; tasks: Walk }): Part {
  // Running tasks are usually among the newest. A single plan would, for late pages, read all tasks that expired and
  // were never settled.
  const { stream, texts, limit } = page
  const newest = alongIndex(sql, {
    columns: sql`*`,
    from: sql`task t`,
    where: sql`
      t.listed and t.status = ${stream.states[0].status ?? ''} ${createdBefore(sql, sql`t.created_at_ms`, filter)}`,
    order: sql`t.created_at_ms desc`,
    limit: NEAR,
  })
  const nearRows = alongIndex(sql, { ...tasks, from: sql`${newest} as t ${publicContent(sql, texts)}` })
  const farRows = alongIndex(sql, {
    ...tasks,
    where: sql`(select count(*) from near) < ${limit} and ${tasks.where}`,
    order: sql`t.created_at_ms + 0 desc`,
  })
  return sql`(with near as materialized ${nearRows}, far as ${farRows} select * from near union select * from far)`
}

function createdBefore(sql: Queryable, createdAtMs: Part, { before }: TaskFilter): Part {
  return before === undefined ? sql`` : sql`and ${createdAtMs} < ${before}`
}
