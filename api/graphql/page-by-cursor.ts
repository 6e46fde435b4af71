import { and, type Column, getTableColumns, is, or, type SQL, type SQLWrapper, sql, Table } from 'drizzle-orm'
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql/index.js'
import { type CursorValues, parseCursor } from './cursor.ts'
import { describeList, type ListDescription, sortColumns } from './list-description.ts'

type Direction = 'asc' | 'desc'
type Values = Record<string, unknown>
type Resolver<Context> = GraphQLFieldResolver<unknown, Context, Values>

/** A page as Ponder's resolver returns it. */
interface Page {
  items: unknown[]
  totalCount: number | null
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
}

/** The part of a drizzle instance that Ponder's resolver reads a page with. */
interface PageDatabase {
  select(): { from(table: unknown): { where(condition: SQL | undefined): unknown } }
}

/** Arguments with which a resolver reads rows; a page by cursor reads them with another `raw`. */
interface PageContext {
  qb: { raw: unknown }
}

/**
 * Makes every list of the schema page by cursors under each order, rows without a value included. Ponder compares a
 * cursor's values by `=` and `<` alone, which hold for no null: rows on both sides of the nulls are lost without an
 * error. Ponder's resolver reads the page, from the position that is added to its condition.
 */
export function pageByCursor(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const list = describeList(schema, field)
    const { resolve } = field
    if (list === null || resolve === undefined) continue
    field.resolve = resolveFrom(resolve as Resolver<PageContext>, list) as typeof resolve
  }
}

function resolveFrom(resolve: Resolver<PageContext>, list: ListDescription): Resolver<PageContext> {
  return async (source, { after, before, ...values }, context, info) => {
    const cursor = after ?? before
    if (typeof cursor !== 'string') return await resolve(source, values, context, info)
    const sortedBy = sortColumns(values.orderBy, list.key)
    const row = parseCursor(cursor, { columns: list.columns, sortedBy })
    if (row === null) throw new Error('the arguments were checked before')
    const asked = values.orderDirection === 'desc' ? 'desc' : 'asc'
    const isForward = typeof after === 'string'
    const direction = isForward ? asked : reverse(asked)
    const raw = readBehind(context.qb.raw as PageDatabase, { row, sortedBy, direction })
    const page = (await resolve(
      source,
      { ...values, orderDirection: direction },
      { ...context, qb: { ...context.qb, raw } },
      info,
    )) as Page
    return isForward ? withRowsBefore(page) : reversed(page)
  }
}

function reverse(direction: Direction): Direction {
  return direction === 'asc' ? 'desc' : 'asc'
}

/** A cursor is of a row on the side that was passed. */
function withRowsBefore({ pageInfo, ...page }: Page): Page {
  return { ...page, pageInfo: { ...pageInfo, hasPreviousPage: true } }
}

/** The page before a cursor, which was read backwards. */
function reversed({ items, totalCount, pageInfo }: Page): Page {
  const { hasNextPage, startCursor, endCursor } = pageInfo
  return {
    items: items.toReversed(),
    totalCount,
    pageInfo: { hasPreviousPage: hasNextPage, hasNextPage: true, startCursor: endCursor, endCursor: startCursor },
  }
}

interface Position {
  row: CursorValues
  sortedBy: readonly string[]
  direction: Direction
}

/** A database whose pages hold only rows behind a position; what else it counts or reads stays whole. */
function readBehind(database: PageDatabase, position: Position): PageDatabase {
  return {
    select: () => ({
      from: (table) => ({
        where: (condition) =>
          database
            .select()
            .from(table)
            .where(and(condition, isBehind(table, position))),
      }),
    }),
  }
}

/**
 * The condition that a row is behind a position. PostgreSQL puts nulls last in ascending and first in descending order;
 * only the first column of an order can be null, for the others are the key. Without nulls it is one comparison of rows,
 * which an index of the order begins at.
 */
function isBehind(table: unknown, { row, sortedBy, direction }: Position): SQL | undefined {
  if (!is(table, Table)) throw new Error('lists are of tables')
  const columns: Record<string, Column> = getTableColumns(table)
  const parts = sortedBy.map((name) => {
    const column = columns[name]
    if (column === undefined) throw new Error(`no column ${name}`)
    return { column, value: row[name] ?? null }
  })
  const [first, ...key] = parts
  if (first === undefined) throw new Error('a list has a key')
  if (first.value === null) {
    const amongNulls = and(sql`${first.column} is null`, compare(key, direction))
    return direction === 'asc' ? amongNulls : or(amongNulls, sql`${first.column} is not null`)
  }
  const amongValues = compare(parts, direction)
  const isNullLater = direction === 'asc' && !first.column.notNull
  return isNullLater ? or(amongValues, sql`${first.column} is null`) : amongValues
}

function compare(parts: readonly { column: Column; value: unknown }[], direction: Direction): SQL {
  const list = (items: SQLWrapper[]) => sql.join(items, sql`, `)
  const columns = list(parts.map(({ column }) => sql`${column}`))
  const values = list(parts.map(({ column, value }) => sql`${sql.param(value, column)}`))
  return direction === 'asc' ? sql`(${columns}) > (${values})` : sql`(${columns}) < (${values})`
}
