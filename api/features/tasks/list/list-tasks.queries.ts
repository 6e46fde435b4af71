import type { Hex } from 'viem'
import type { Database } from '../../../db/client.ts'
import { run, statement } from '../../../db/statement-text.ts'
import { type IndexedState, indexedVersion, sharedVersion } from '../../../read-model/indexed-head.queries.ts'
import { positionText } from '../../../read-model/replicas/read-position.ts'
import {
  findTaskSearch,
  hasManyMatches,
  searchVersion,
  type TaskSearchCoverage,
} from '../../../read-model/task-search.queries.ts'
import { conditionsOn, isFoundByContent, isOfEverything, type TaskFilter } from '../../task-filters.ts'
import { taskVersion, versionTables } from '../task-version.ts'
import { countToFind, findPage, isRankedPage, type PageCoverage, type PageOptions } from './find-page.ts'

/** The id of a task on a page, and the version of the task's public form (`taskVersion`). */
export interface PageHead {
  id: Hex
  version: string
  /** The task's position in the order of the list, for a cursor (`toTaskCursor`). */
  position: string
}

/** The tasks of a page in order, and the state of the read model that contained them. */
export interface PageHeads extends IndexedState {
  heads: PageHead[]
  /** The number of ranked tasks if the list is in the order of relevance. Null in all other orders. */
  ranked: number | null
}

/**
 * The character that separates tasks in one text. Ids and versions do not contain this character, because JSON escapes
 * control characters.
 */
const SEPARATOR = '\u0001'
/** The character between the position of a task and the version of the task. A position consists of numbers. */
const POSITION_END = '\u0002'
/** The number of characters in a task id: `0x` and 64 hex digits. */
const ID_LENGTH = 66

/**
 * The largest number of attempts to read a page of a search. An attempt needs two statements, which must see the same
 * database state. If a new block changes the state between the two statements, the attempt fails.
 */
const ATTEMPTS = 3

/**
 * Lists the public tasks of a page, at most `limit`, each with its version. One statement reads the page. If the filter
 * has words or tags, an earlier statement finds the matching tasks that the search table lacks.
 */
export async function listPageHeads(sql: Database, filter: TaskFilter, pageOptions: PageOptions): Promise<PageHeads> {
  const options = { ...pageOptions, limit: roundUp(pageOptions.limit) }
  const page = await readWithSearch(sql, filter, options)
  return { ...page, heads: page.heads.slice(0, pageOptions.limit) }
}

/**
 * Reads a page. For a search by words or tags, two statements read the search table and must see the same state of it.
 * After `ATTEMPTS` failed attempts, the page is read without the search table.
 */
async function readWithSearch(sql: Database, filter: TaskFilter, options: PageOptions): Promise<PageHeads> {
  for (let attempt = 1; isFoundByContent(filter) && attempt <= ATTEMPTS; attempt += 1) {
    const coverage = await findCoverage(sql, filter, options)
    if (coverage === null) break
    const page = await readPageHeads(sql, filter, { ...options, coverage })
    if (page.searchVersion === coverage.version) return page
  }
  return await readPageHeads(sql, filter, { ...options, coverage: null })
}

/**
 * Finds which tasks the search table lacks for the filter's words and tags, and whether many tasks match
 * (`isFrequent`). Returns null if the search table is not usable. In the orders of creation and relevance, `isFrequent`
 * is true if enough of the newest tasks match to fill a page. In the other orders, `isFrequent` is true if
 * `hasManyMatches` returns true.
 */
async function findCoverage(
  sql: Database,
  filter: TaskFilter,
  options: PageOptions,
): Promise<TaskSearchCoverage | null> {
  const { order, now } = options
  const matchesOf = (plan: 'kept' | 'own') => conditionsOn(statement, filter, { on: 'texts', now, plan })
  const searchRequest = { before: filter.before, matches: matchesOf('kept') }
  if (order === 'newest' || order === 'relevance') {
    return await findTaskSearch(sql.byKey, { ...searchRequest, page: countToFind(options) })
  }
  const [coverage, isFrequent] = await Promise.all([
    findTaskSearch(sql.byKey, { ...searchRequest, page: null }),
    hasManyMatches(sql, matchesOf('own')),
  ])
  return coverage && { ...coverage, isFrequent }
}

/**
 * Reads all tasks of a page as one text in a single row. With one row for each task, the database driver would need
 * about as much time to parse twenty rows as the database needs to run the statement.
 */
async function readPageHeads(
  sql: Database,
  filter: TaskFilter,
  options: PageOptions & PageCoverage,
): Promise<PageHeads & { searchVersion: string | null }> {
  const { coverage } = options
  // Only a page of everything has the same plan whatever the values.
  const pool = isOfEverything(filter) && options.order === 'newest' ? sql.byKey : sql
  const page = findPage(statement, filter, options)
  const [row] = await run<(IndexedState & { heads: string | null; searchVersion: string | null })[]>(
    pool,
    statement`
      select ${sharedVersion(statement)} as shared, ${indexedVersion(statement)} as indexed,
        ${positionText(statement)} as position,
        ${coverage === null ? statement`null` : searchVersion(statement)} as search_version, (
        select string_agg(t.id || t.position || ${POSITION_END} || ${taskVersion(statement)}, ${SEPARATOR} order by t.place)
          ${isRankedPage(filter, options.order) ? statement`|| ${SEPARATOR} || max(t.ranked)` : statement``}
        from (${page}) as t ${versionTables(statement)}
      ) as heads`,
  )
  if (row === undefined) throw new Error('a select without a table has one row')
  const parts = row.heads === null ? [] : row.heads.split(SEPARATOR)
  const rankedCount = isRankedPage(filter, options.order) ? Number(parts.pop() ?? 0) : null
  return { ...row, heads: parts.map(toPageHead), ranked: rankedCount }
}

function toPageHead(text: string): PageHead {
  const positionEnd = text.indexOf(POSITION_END)
  return {
    id: text.slice(0, ID_LENGTH) as Hex,
    position: text.slice(ID_LENGTH, positionEnd),
    version: text.slice(positionEnd + 1),
  }
}

/**
 * The usual values of a statement's `limit`. A requested limit is rounded up to the next of these values, because
 * PostgreSQL stores a separate plan for each value. Each value is a usual page size plus one: the list reads one task
 * more than a page, to find whether another page follows.
 */
const PAGE_SIZES = [11, 21, 51, 101]

function roundUp(limit: number): number {
  return PAGE_SIZES.find((size) => limit <= size) ?? limit
}
