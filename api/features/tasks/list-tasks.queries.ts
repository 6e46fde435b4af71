import type { Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { run, statement } from '../../db/statement-text.ts'
import { type IndexedState, indexedVersion, sharedVersion } from '../../read-model/indexed-head.queries.ts'
import { positionText } from '../../read-model/replicas/read-position.ts'
import { findTaskSearch, searchVersion } from '../../read-model/task-search.queries.ts'
import { countToFind, findPage, isRankedPage, type PageCoverage, type PageOptions } from './find-page.ts'
import { isFoundByContent, type TaskFilter, textConditions } from './task-filter.ts'
import type { TaskRow } from './task-row.ts'
import { taskVersion, versionTables } from './task-version.ts'
import { listTaskRows } from './tasks.queries.ts'

/** A task of a page, with the version of its view (`taskVersion`). */
export interface PageHead {
  id: Hex
  version: string
  /** The task's place in the order, for a cursor (`toTaskCursor`). */
  position: string
}

/** A page's tasks in order, and what all of it depends on besides. */
export interface PageHeads extends IndexedState {
  heads: PageHead[]
  /** How many tasks were ranked for a page by relevance; null for another. */
  ranked: number | null
}

/** Separates tasks in one text: no version has a control character, for JSON escapes them and ids have none. */
const SEPARATOR = '\u0001'
/** Separates the position of a task, which is digits, from its version. */
const POSITION_END = '\u0002'
/** Characters of an id: 0x and 32 bytes. */
const ID_LENGTH = 66

/** How often a page is found anew because a block came in between its two statements. */
const ATTEMPTS = 3

/**
 * Which public tasks a page shows, at most `limit`, and in which version. One statement: the page is found along the
 * index of its order, and its versions are read by their keys. Only words and tags ask first what their table lacks.
 */
export async function listPageHeads(sql: Database, filter: TaskFilter, asked: PageOptions): Promise<PageHeads> {
  const options = { ...asked, limit: roundUp(asked.limit) }
  const found = await readWithSearch(sql, filter, options)
  return { ...found, heads: found.heads.slice(0, asked.limit) }
}

/** A page of a size that statements have (`PAGE_SIZES`). */
async function readWithSearch(sql: Database, filter: TaskFilter, options: PageOptions): Promise<PageHeads> {
  for (let attempt = 1; isFoundByContent(filter) && attempt <= ATTEMPTS; attempt += 1) {
    const matches = textConditions(statement, filter, 'kept')
    const coverage = await findTaskSearch(sql.byKey, { before: filter.before, matches, page: countToFind(options) })
    if (coverage === null) break
    const found = await readPageHeads(sql, filter, { ...options, coverage })
    if (found.searchVersion === coverage.version) return found
  }
  return await readPageHeads(sql, filter, { ...options, coverage: null })
}

/** One row: the driver takes as long for three columns of twenty rows as for the rest of the statement. */
async function readPageHeads(
  sql: Database,
  filter: TaskFilter,
  options: PageOptions & PageCoverage,
): Promise<PageHeads & { searchVersion: string | null }> {
  const { coverage } = options
  // Only a page of everything has the same plan whatever the values.
  const pool = isOfEverything(filter) && options.order === 'newest' ? sql.byKey : sql
  const page = findPage(statement, filter, options)
  const [found] = await run<(IndexedState & { heads: string | null; searchVersion: string | null })[]>(
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
  if (found === undefined) throw new Error('a select without a table has one row')
  const parts = found.heads === null ? [] : found.heads.split(SEPARATOR)
  const ranked = isRankedPage(filter, options.order) ? Number(parts.pop() ?? 0) : null
  return { ...found, heads: parts.map(toPageHead), ranked }
}

function toPageHead(text: string): PageHead {
  const positionEnd = text.indexOf(POSITION_END)
  return {
    id: text.slice(0, ID_LENGTH) as Hex,
    position: text.slice(ID_LENGTH, positionEnd),
    version: text.slice(positionEnd + 1),
  }
}

/** Public tasks in order, at most `limit`, as rows. */
export async function listPublicTasks(sql: Database, filter: TaskFilter, options: PageOptions): Promise<TaskRow[]> {
  const { heads } = await listPageHeads(sql, filter, options)
  const rows = await listTaskRows(
    sql.byKey,
    heads.map(({ id }) => id),
  )
  const places = new Map(heads.map(({ id }, place) => [id, place]))
  return rows.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
}

/** Sizes of pages in statements, one more than is shown: each size is a statement of its own. */
const PAGE_SIZES = [11, 21, 51, 101]

function roundUp(limit: number): number {
  return PAGE_SIZES.find((size) => limit <= size) ?? limit
}

/** Whether a filter leaves everything in but what a cursor has passed. */
function isOfEverything(filter: TaskFilter): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || name === 'before')
}
