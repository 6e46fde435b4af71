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

/** A task of a page, with the version of its view (`taskVersion`). */
export interface PageHead {
  id: Hex
  version: string
  /** The task's place in the order, for a cursor (`toTaskCursor`). */
  position: string
}

/** A page's tasks in order, and the indexed state that they were read of. */
export interface PageHeads extends IndexedState {
  heads: PageHead[]
  /** The number of tasks that were ranked for a page by relevance; null for another order. */
  ranked: number | null
}

/** Separates tasks in one text. No version has a control character: JSON escapes them, and ids have none. */
const SEPARATOR = '\u0001'
/** Separates the position of a task, which is numbers, from its version. */
const POSITION_END = '\u0002'
/** Characters of an id: 0x and 32 bytes. */
const ID_LENGTH = 66

/** The most attempts to find a page whose two statements see one state: a block may come between them. */
const ATTEMPTS = 3

/**
 * Lists the public tasks of a page, at most `limit`, each with its version. One statement finds the page along the index of
 * its order and reads the versions by their keys; before it, a page of words or tags asks what their table lacks.
 */
export async function listPageHeads(sql: Database, filter: TaskFilter, asked: PageOptions): Promise<PageHeads> {
  const options = { ...asked, limit: roundUp(asked.limit) }
  const page = await readWithSearch(sql, filter, options)
  return { ...page, heads: page.heads.slice(0, asked.limit) }
}

/** Reads a page; one of words or tags from their table, as long as this has the state that the page is of. */
async function readWithSearch(sql: Database, filter: TaskFilter, options: PageOptions): Promise<PageHeads> {
  for (let attempt = 1; isFoundByContent(filter) && attempt <= ATTEMPTS; attempt += 1) {
    const coverage = await findCoverage(sql, filter, options)
    if (coverage === null) break
    const page = await readPageHeads(sql, filter, { ...options, coverage })
    if (page.searchVersion === coverage.version) return page
  }
  return await readPageHeads(sql, filter, { ...options, coverage: null })
}

/** The coverage of words and tags, which are frequent in the order of creation near the newest, in others by their number. */
async function findCoverage(
  sql: Database,
  filter: TaskFilter,
  options: PageOptions,
): Promise<TaskSearchCoverage | null> {
  const { order, now } = options
  const matchesOf = (plan: 'kept' | 'own') => conditionsOn(statement, filter, { on: 'texts', now, plan })
  const asked = { before: filter.before, matches: matchesOf('kept') }
  if (order === 'newest' || order === 'relevance') {
    return await findTaskSearch(sql.byKey, { ...asked, page: countToFind(options) })
  }
  const [coverage, isFrequent] = await Promise.all([
    findTaskSearch(sql.byKey, { ...asked, page: null }),
    hasManyMatches(sql, matchesOf('own')),
  ])
  return coverage && { ...coverage, isFrequent }
}

/** Reads a page as one row: the driver takes as long for three columns of twenty rows as for the rest of the statement. */
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
  const ranked = isRankedPage(filter, options.order) ? Number(parts.pop() ?? 0) : null
  return { ...row, heads: parts.map(toPageHead), ranked }
}

function toPageHead(text: string): PageHead {
  const positionEnd = text.indexOf(POSITION_END)
  return {
    id: text.slice(0, ID_LENGTH) as Hex,
    position: text.slice(ID_LENGTH, positionEnd),
    version: text.slice(positionEnd + 1),
  }
}

/** The limits that statements have, one more than is shown: each makes a statement of its own, whose plan is kept. */
const PAGE_SIZES = [11, 21, 51, 101]

function roundUp(limit: number): number {
  return PAGE_SIZES.find((size) => limit <= size) ?? limit
}
