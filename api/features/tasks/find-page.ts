import type { Queryable } from '../../db/client.ts'
import type { TaskSearchCoverage } from '../../read-model/task-search.queries.ts'
import { firstOfStream, foundColumns, orderBy, sortKeys, type Texts } from './first-of-stream.ts'
import { isFoundByContent, listStreams, type TaskFilter } from './task-filter.ts'

export const taskOrders = [...sortKeys, 'relevance'] as const
export type TaskOrder = (typeof taskOrders)[number]

/** How many of the newest tasks that match a text are ranked by relevance: ranking reads each of them. */
const MAX_RANKED = 200

/** A part of a statement. */
type Part = ReturnType<typeof orderBy>

export interface PageOptions {
  order: TaskOrder
  limit: number
  /** The chain head's time, Unix seconds: the statuses' deadline rule depends on it. */
  now: bigint
}

/** How many tasks have to be found for a page; of one by relevance, for its ranking. */
export function countToFind({ order, limit }: PageOptions): number {
  return order === 'relevance' ? MAX_RANKED : limit
}

/** What `service.task_search` covers; null: the page is found without it. */
export interface PageCoverage {
  coverage: TaskSearchCoverage | null
}

/** The tasks of a page with their `place` in it: the first of every stream, and of these the first. */
export function findPage(
  sql: Queryable,
  filter: TaskFilter,
  { order, limit, now, coverage }: PageOptions & PageCoverage,
): Part {
  // A reference code names one task: nothing to rank.
  const isRanked = order === 'relevance' && isFoundByContent(filter)
  const key = order === 'relevance' ? 'newest' : order
  const page = { key, isRanked, limit: isRanked ? MAX_RANKED : limit, now } as const
  const streams = listStreams(filter)
  if (streams.length === 0) return sql`select ${foundColumns(sql, false)}, 0 as place from task t where false`
  const parts = listTexts(filter, coverage).flatMap((texts) =>
    streams.map((stream) => firstOfStream(sql, filter, { ...page, stream, texts })),
  )
  // Not `union all`: a task may be a worker's by assignment and by award.
  const found = parts.reduce((sum, part) => sql`${sum} union ${part}`)
  if (!isRanked) return numbered(sql, found, { by: orderBy(sql, key), limit })
  const newest = sql`select * from (${found}) as t order by ${orderBy(sql, key)} limit ${MAX_RANKED}`
  const by = sql`ts_rank_cd(search, websearch_to_tsquery('english', ${filter.search ?? ''})) desc, created_at_ms desc`
  return numbered(sql, newest, { by, limit })
}

/** The places that together have every text. */
function listTexts(filter: TaskFilter, coverage: TaskSearchCoverage | null): Texts[] {
  if (!isFoundByContent(filter)) return [{ kind: 'by task' }]
  if (coverage === null) return [{ kind: 'by text' }]
  const { uncovered: ids, isFrequent } = coverage
  const covered = { kind: 'covered', isFrequent } as const
  return ids.length === 0 ? [covered] : [covered, { kind: 'uncovered', ids }]
}

/** The first rows in an order, each with its `place`. */
function numbered(sql: Queryable, rows: Part, { by, limit }: { by: Part; limit: number }): Part {
  return sql`select t.*, row_number() over (order by ${by}) as place from (${rows}) as t order by place limit ${limit}`
}
