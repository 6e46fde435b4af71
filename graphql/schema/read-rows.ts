import { limits } from '../limits.ts'
import { refuse } from '../request-error.ts'
import { type RowValue, readCursor, writeCursor } from './cursor.ts'
import { isAmong, Parameters, type TableFilter } from './filter.ts'
import type { ReadContext, Row } from './read-context.ts'
import { GraphQLJson } from './scalars.ts'
import type { MarketColumn, MarketTable } from './tables.ts'

/** The arguments of a list field in GraphQL. */
export interface ListArguments {
  where?: unknown
  orderBy?: string | null
  orderDirection?: string | null
  limit?: number | null
  offset?: number | null
  after?: string | null
  before?: string | null
}

/** A request for a list of rows. */
export interface ListRequest {
  table: MarketTable
  filter: TableFilter
  values: ListArguments
  /** Columns to read; null if the request selects no rows, but only their total. */
  columns: readonly MarketColumn[] | null
  hasTotal: boolean
}

export interface Page {
  items: Row[]
  totalCount: number
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
}

/**
 * The parents of related rows. A row belongs to the parent whose key equals the row's value in the column `by`.
 * Example: the task of a submission is its parent, and `by` is the submission's column with the task's id.
 */
export interface Parents {
  by: MarketColumn
  keys: readonly unknown[]
}

const PARENT = '_parent'

/**
 * Reads the pages of a list in one statement, and their totals in a second one.
 * @param parents the parents of related rows, each of which gets its own page; null for a list without parents
 * @returns the pages by the parent's key; without parents, one page with the key null
 * @throws RequestError if an argument is invalid
 */
export async function readPages(
  { query }: ReadContext,
  { request, parents }: { request: ListRequest; parents: Parents | null },
): Promise<Map<unknown, Page>> {
  const order = orderOf(request)
  const [rows, totals] = await Promise.all([
    request.columns === null ? [] : selectRows(query, { request, parents, order }),
    request.hasTotal ? countRows(query, { request, parents }) : [],
  ])
  const keys = parents?.keys ?? [null]
  const rowsOf = new Map<unknown, Row[]>(keys.map((key) => [key, []]))
  for (const row of rows) rowsOf.get(row[PARENT] ?? null)?.push(row)
  const totalOf = new Map(totals.map((row): [unknown, number] => [row[PARENT] ?? null, Number(row.count)]))
  return new Map(
    [...rowsOf].map(([key, ofKey]) => [key, { ...toPage(ofKey, order), totalCount: totalOf.get(key) ?? 0 }]),
  )
}

/**
 * Reads the rows that have one of the given values in the column `by`. @returns the rows, by their values in this
 * column
 */
export async function readByKey(
  { query }: ReadContext,
  { table, columns, by, keys }: Parents & { table: MarketTable; columns: readonly MarketColumn[] },
): Promise<Map<unknown, Row>> {
  const parameters = new Parameters()
  const list = parameters.add(keys)
  const rows = await query(
    `select ${select(withKey(columns, by))} from ${table.sql} where ${isAmong(by, `${list}::${by.sqlType}[]`)}`,
    parameters.values,
  )
  return new Map(rows.map((row) => [row[by.name], row]))
}

type Query = ReadContext['query']

/** The sort order and the range of a page. */
interface Order {
  /** Sort columns: the column of `orderBy`, if the request has one, and then the key. */
  columns: readonly MarketColumn[]
  /**
   * Sort direction of the SQL statement. A page before a cursor is read in the reverse direction and reversed
   * afterwards.
   */
  isAscending: boolean
  position: readonly RowValue[] | null
  isBackwards: boolean
  limit: number
  offset: number
}

function orderOf({ table, values }: ListRequest): Order {
  const { orderBy, orderDirection, after, before } = values
  const column = orderBy == null ? table.key : table.columns.get(orderBy)
  if (column === undefined || column.isList || column.type === GraphQLJson) {
    const sortableColumns = [...table.columns.values()].filter(({ type, isList }) => !isList && type !== GraphQLJson)
    refuse(
      'BAD_USER_INPUT',
      `The argument orderBy takes one of: ${sortableColumns.map(({ name }) => name).join(', ')}.`,
    )
  }
  if (orderDirection != null && orderDirection !== 'asc' && orderDirection !== 'desc') {
    refuse('BAD_USER_INPUT', 'The argument orderDirection must be "asc" or "desc".')
  }
  const columns = column === table.key ? table.keyOrder : [...new Set([column, ...table.keyOrder])]
  const cursor = after ?? before ?? null
  const { limit, offset } = rangeOf(values)
  if (after != null && before != null)
    refuse('BAD_USER_INPUT', 'Only one of the arguments after and before can be used.')
  if (cursor !== null && offset !== 0) {
    refuse('BAD_USER_INPUT', 'The argument offset cannot be used beside after or before.')
  }
  const isBackwards = before != null
  return {
    columns,
    isAscending: (orderDirection !== 'desc') !== isBackwards,
    position: cursor === null ? null : readCursor(cursor, columns),
    isBackwards,
    limit,
    offset,
  }
}

/**
 * Returns the number of rows of a page and the number of rows to skip, with defaults. @throws RequestError if one
 * exceeds its limit
 */
export function rangeOf({ limit, offset }: Pick<ListArguments, 'limit' | 'offset'>): { limit: number; offset: number } {
  const inRange = (name: string, value: number, maximum: number) =>
    value >= 0 && value <= maximum
      ? value
      : refuse(
          'LIMIT_EXCEEDED',
          `The argument ${name} may be 0 to ${maximum}, not ${value}; pages go on with after: pageInfo.endCursor.`,
        )
  return {
    limit: inRange('limit', limit ?? limits.defaultRows, limits.rows),
    offset: inRange('offset', offset ?? 0, limits.offset),
  }
}

async function selectRows(
  query: Query,
  {
    request: { table, filter, values, columns },
    parents,
    order,
  }: { request: ListRequest; parents: Parents | null; order: Order },
): Promise<Row[]> {
  const parameters = new Parameters()
  const conditions = [
    ...(parents === null ? [] : [`${parents.by.sql} = "p"."key"`]),
    ...(values.where === undefined ? [] : [filter.write(values.where, parameters)]),
    ...(order.position === null ? [] : [behind(order, order.position, parameters)]),
  ]
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  const selectedColumns = withKey(columns ?? [], ...order.columns)
  const direction = order.isAscending ? 'asc' : 'desc'
  const by = (name: (column: MarketColumn) => string) =>
    order.columns.map((column) => `${name(column)} ${direction}`).join(', ')
  const range = `limit ${order.limit + 1} offset ${order.offset}`
  const page = `select ${select(selectedColumns)} from ${table.sql}${where} order by ${by(({ sql }) => `${table.sql}.${sql}`)} ${range}`
  if (parents === null) return await query(page, parameters.values)
  const keys = `unnest(${parameters.add(parents.keys)}::${parents.by.sqlType}[]) as "p"("key")`
  return await query(
    `select "p"."key" as "${PARENT}", "rows".* from ${keys} cross join lateral (${page}) as "rows" order by ${by(({ name }) => `"rows"."${name}"`)}`,
    parameters.values,
  )
}

async function countRows(
  query: Query,
  { request: { table, filter, values }, parents }: { request: ListRequest; parents: Parents | null },
): Promise<Row[]> {
  const parameters = new Parameters()
  const where = values.where === undefined ? 'true' : filter.write(values.where, parameters)
  if (parents === null) return await query(`select count(*) from ${table.sql} where ${where}`, parameters.values)
  const { by, keys } = parents
  const list = `${by.sql} = any(${parameters.add(keys)}::${by.sqlType}[])`
  return await query(
    `select ${by.sql} as "${PARENT}", count(*) from ${table.sql} where ${list} and (${where}) group by 1`,
    parameters.values,
  )
}

/**
 * Returns the SQL condition that a row comes after a position in the sort order. PostgreSQL sorts nulls last in
 * ascending order and first in descending order. Only the first sort column can be null, because the second one is the
 * key. If the first column cannot be null, the condition is a single comparison of rows, for which PostgreSQL can use
 * an index on the sort columns.
 */
function behind({ columns, isAscending }: Order, position: readonly RowValue[], parameters: Parameters): string {
  const [first] = columns
  const sign = isAscending ? '>' : '<'
  const compare = (from: number) => {
    const names = columns.slice(from).map(({ sql }) => sql)
    return `(${names.join(', ')}) ${sign} (${position
      .slice(from)
      .map((value) => parameters.add(value))
      .join(', ')})`
  }
  if (position[0] === null) {
    const amongNulls = `${first?.sql} is null and ${compare(1)}`
    return isAscending ? amongNulls : `(${amongNulls} or ${first?.sql} is not null)`
  }
  return isAscending && first?.isNullable ? `(${compare(0)} or ${first.sql} is null)` : compare(0)
}

function toPage(rows: Row[], { columns, limit, offset, position, isBackwards }: Order): Omit<Page, 'totalCount'> {
  const hasMore = rows.length > limit
  const pageRows = hasMore ? rows.slice(0, limit) : rows
  const items = isBackwards ? pageRows.toReversed() : pageRows
  const hasPassed = position !== null || offset > 0
  const cursorOf = (row: Row | undefined) => (row === undefined ? null : writeCursor(row, columns))
  return {
    items,
    pageInfo: {
      hasNextPage: isBackwards ? hasPassed : hasMore,
      hasPreviousPage: isBackwards ? hasMore : hasPassed,
      startCursor: cursorOf(items[0]),
      endCursor: cursorOf(items.at(-1)),
    },
  }
}

function withKey(columns: readonly MarketColumn[], ...extraColumns: readonly MarketColumn[]): MarketColumn[] {
  return [...new Set([...columns, ...extraColumns])]
}

function select(columns: readonly MarketColumn[]): string {
  return columns.map(({ sql, name }) => `${sql} as "${name}"`).join(', ')
}
