import type { Queryable } from '../../db/client.ts'
import type { TaskSearchCoverage } from '../../read-model/task-search.queries.ts'
import { firstOfStream, foundColumns, orderBy, type Texts } from './first-of-stream.ts'
import { positionColumn, type TaskOrder, type TaskPosition } from './task-cursor.ts'
import { isFoundByContent, listStreams, type TaskFilter } from './task-filter.ts'

/** How many of the newest tasks that match a text are ranked by relevance: ranking reads each of them. */
export const MAX_RANKED = 200

/** A part of a statement. */
type Part = ReturnType<typeof orderBy>

export interface PageOptions {
  order: TaskOrder
  limit: number
  /** The chain head's time, Unix seconds: the statuses' deadline rule depends on it. */
  now: bigint
  /** The end of the page before; in the order of creation the filter has it (`before`). */
  after?: TaskPosition | undefined
}

/** How many tasks have to be found for a page; of one by relevance, for its ranking. */
export function countToFind({ order, limit }: PageOptions): number {
  return order === 'relevance' ? MAX_RANKED : limit
}

/** What `service.task_search` covers; null: the page is found without it. */
export interface PageCoverage {
  coverage: TaskSearchCoverage | null
}

/**
 * The tasks of a page with their `place` in it and their `position` for a cursor: the first of every stream, and of these
 * the first. Of ranked ones also how many were `ranked`.
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
    return sql`select ${foundColumns(sql, false)}, 0 as place, '' as position from task t where false`
  const parts = listTexts(filter, coverage).flatMap((texts) =>
    streams.map((stream) => firstOfStream(sql, filter, { ...page, stream, texts })),
  )
  // Not `union all`: a task may be a worker's by assignment and by award.
  const found = parts.reduce((sum, part) => sql`${sum} union ${part}`)
  if (!isRanked) return numbered(sql, found, { by: orderBy(sql, key), limit, position: positionColumn(sql, key) })
  const newest = sql`select * from (${found}) as t order by ${orderBy(sql, key)} limit ${MAX_RANKED}`
  const ranked = sql`
    select t.*, ts_rank_cd(search, service.search_query(${filter.search ?? ''})) as rank,
      count(*) over () as ranked, max(created_at_ms) over () as newest_ranked_ms
    from (${newest}) as t`
  const { key: rank, createdAtMs } = after ?? {}
  const behind =
    rank === undefined || createdAtMs === undefined
      ? ranked
      : sql`select * from (${ranked}) as t where (rank, created_at_ms) < (${rank}::float4, ${createdAtMs}::int8)`
  const by = sql`rank desc, created_at_ms desc`
  return numbered(sql, behind, { by, limit, position: positionColumn(sql, 'rank') })
}

/** Says whether a page is of ranked tasks. A reference code names one task: nothing to rank. */
export function isRankedPage(filter: TaskFilter, order: TaskOrder): boolean {
  return order === 'relevance' && isFoundByContent(filter)
}

/** The places that together have every text. */
function listTexts(filter: TaskFilter, coverage: TaskSearchCoverage | null): Texts[] {
  if (!isFoundByContent(filter)) return [{ kind: 'by task' }]
  if (coverage === null) return [{ kind: 'by text' }]
  const { uncovered: ids, isFrequent } = coverage
  const covered = { kind: 'covered', isFrequent } as const
  return ids.length === 0 ? [covered] : [covered, { kind: 'uncovered', ids }]
}

/** The first rows in an order, each with its `place` and `position`. */
function numbered(
  sql: Queryable,
  rows: Part,
  { by, limit, position }: { by: Part; limit: number; position: Part },
): Part {
  return sql`
    select t.*, row_number() over (order by ${by}) as place, ${position} as position
    from (${rows}) as t order by place limit ${limit}`
}
