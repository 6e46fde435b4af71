import type { Queryable } from '../../../db/client.ts'
import type { TaskSearchCoverage } from '../../../read-model/task-search.queries.ts'
import { isFoundByContent, type TaskFilter } from '../../task-filters.ts'
import type { Part } from './along-index.ts'
import { firstOfStream } from './first-of-stream.ts'
import { listStreams } from './list-streams.ts'
import { foundColumns, type Texts } from './listed-tasks.ts'
import { orderBy, positionColumn, type TaskOrder, type TaskPosition } from './task-cursor.ts'

/**
 * The largest number of tasks that are ranked by relevance. Only the newest matching tasks are ranked, because the
 * ranking reads the text of each task.
 */
export const MAX_RANKED = 200

export interface PageOptions {
  order: TaskOrder
  limit: number
  /** The time of the latest block, in Unix seconds. A task with an earlier deadline is past its deadline. */
  now: bigint
  /**
   * The position of the last task on the previous page. Absent on the first page. Also absent if the list is in the
   * order of creation, because the filter's `before` then contains the position.
   */
  after?: TaskPosition | undefined
}

/**
 * Returns how many matching tasks the search must find before a page can be chosen. In the order of relevance, the
 * result is `MAX_RANKED`, because the best of that many tasks are the page. In every other order, the result is
 * `limit`.
 */
export function countToFind({ order, limit }: PageOptions): number {
  return order === 'relevance' ? MAX_RANKED : limit
}

export interface PageCoverage {
  /**
   * The facts about the search table `service.task_search`: the matching tasks that the table lacks, and whether many
   * tasks match. Null if the statement does not use the search table.
   */
  coverage: TaskSearchCoverage | null
}

/**
 * Returns the SQL that selects the tasks of a page. Each row has the task's place on the page (`place`) and the task's
 * position for a cursor (`position`). On a page with ranked tasks (`isRankedPage`), each row also has the number of
 * ranked tasks (`ranked`).
 */
export function findPage(
  sql: Queryable,
  filter: TaskFilter,
  { order, limit, now, after, coverage }: PageOptions & PageCoverage,
): Part {
  const isRanked = isRankedPage(filter, order)
  const key = order === 'relevance' ? 'newest' : order
  const page = { key, isRanked, limit: isRanked ? MAX_RANKED : limit, now, after } as const
  const streams = listStreams(filter)
  if (streams.length === 0)
    return sql`
      select ${foundColumns(sql, false)}, 0 as place, '' as position, 0 as ranked from task t where false`
  const parts = listTexts(filter, coverage).flatMap((texts) =>
    streams.map((stream) => firstOfStream(sql, filter, { ...page, stream, texts })),
  )
  // Not `union all`: a task may be a worker's by assignment and by award.
  const firstRows = parts.reduce((sum, part) => sql`${sum} union ${part}`)
  if (!isRanked) return numbered(sql, firstRows, { by: orderBy(sql, key), limit, position: positionColumn(sql, key) })
  const newest = sql`select * from (${firstRows}) as t order by ${orderBy(sql, key)} limit ${MAX_RANKED}`
  const rankedRows = sql`
    select t.*, ts_rank_cd(search, service.search_query(${filter.q ?? ''})) as rank,
      count(*) over () as ranked, max(created_at_ms) over () as newest_ranked_ms
    from (${newest}) as t`
  const { key: rank, createdAtMs } = after ?? {}
  const rowsBehind =
    rank === undefined || createdAtMs === undefined
      ? rankedRows
      : sql`select * from (${rankedRows}) as t where (rank, created_at_ms) < (${rank}::float4, ${createdAtMs}::int8)`
  const by = sql`rank desc, created_at_ms desc`
  return numbered(sql, rowsBehind, { by, limit, position: positionColumn(sql, 'rank') })
}

/**
 * Returns true if the tasks of a page are ranked by relevance. A search for a reference code is not ranked, because a
 * code names one task.
 */
export function isRankedPage(filter: TaskFilter, order: TaskOrder): boolean {
  return order === 'relevance' && isFoundByContent(filter)
}

/** Lists the tables in which the texts are searched. These tables together have the texts of every task. */
function listTexts(filter: TaskFilter, coverage: TaskSearchCoverage | null): Texts[] {
  if (!isFoundByContent(filter)) return [{ kind: 'by task' }]
  if (coverage === null) return [{ kind: 'by text' }]
  const { uncovered: ids, isFrequent } = coverage
  const coveredTexts = { kind: 'covered', isFrequent } as const
  return ids.length === 0 ? [coveredTexts] : [coveredTexts, { kind: 'uncovered', ids }]
}

/**
 * Returns the SQL that selects the first `limit` rows in the order `by`. It adds two columns: `place`, the row's number
 * in this order (1, 2, …), and `position`, the value from which the cursor of the next page is made.
 */
function numbered(
  sql: Queryable,
  rows: Part,
  { by, limit, position }: { by: Part; limit: number; position: Part },
): Part {
  return sql`
    select t.*, row_number() over (order by ${by}) as place, ${position} as position
    from (${rows}) as t order by place limit ${limit}`
}
