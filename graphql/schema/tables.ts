import { type Column, getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgArray, PgTable } from 'drizzle-orm/pg-core'
import {
  GraphQLBoolean,
  type GraphQLEnumType,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql/index.js'
import marketTexts from '../../api/db/market-texts.json' with { type: 'json' }
import { readerTables } from '../../src/views/reader-tables.ts'
import { findEnum } from './enums.ts'
import { GraphQLBigInt, GraphQLJson } from './scalars.ts'

/** A column of the read model, with its GraphQL field. */
export interface MarketColumn {
  /** Name of the GraphQL field. */
  name: string
  /** Name of the column in SQL, in double quotes. */
  sql: string
  /** PostgreSQL type of the column; for a list, of one element. */
  sqlType: string
  /** GraphQL type of the value; for a list, of one element. */
  type: GraphQLScalarType | GraphQLEnumType
  isList: boolean
  /** True if the value is an address or a hash. The database stores addresses and hashes as text in lower case. */
  isHex: boolean
  isNullable: boolean
  description: string
  /** True if the column is the first column of an index, so that a filter by it is fast. */
  isIndexed: boolean
  /**
   * Set only for a key that is joined from two columns (`madeKeys`): the quoted name of the first column, which has an
   * index. Null for every other column.
   */
  beginSql: string | null
}

/** A table of the read model, with its GraphQL names. */
export interface MarketTable {
  /** Name of the GraphQL type, and of the query field for one row. Example: `task`. */
  name: string
  /** Name of the query field for a list. Example: `tasks`. */
  plural: string
  sql: string
  description: string
  columns: ReadonlyMap<string, MarketColumn>
  /** Primary key. The key of every table is one column. */
  key: MarketColumn
  /** Columns by which rows are sorted if they are sorted by the key. */
  keyOrder: readonly MarketColumn[]
}

/**
 * Tables whose primary key is not a stored column. The key is joined from two columns as `<first>:<second>`. A list
 * that is sorted by the key is sorted by these two columns.
 */
const madeKeys: Record<string, readonly [string, string]> = { taskEvent: ['taskId', 'ordinal'] }

const texts: Record<string, { about: string; columns: Record<string, string> }> = marketTexts.views
const types: Record<string, GraphQLScalarType> = {
  PgText: GraphQLString,
  PgHex: GraphQLString,
  PgBoolean: GraphQLBoolean,
  PgInteger: GraphQLInt,
  // A number up to 2^32, beyond the range of Int.
  PgBigInt53: GraphQLFloat,
  PgBigInt64: GraphQLBigInt,
  PgEvmBigint: GraphQLBigInt,
  PgJson: GraphQLJson,
}

/**
 * Plural names that differ from the regular plural. `marketStats` is a plural already, so its list needs another name.
 * The table `marketStats` has a single row.
 */
const plurals: Record<string, string> = { vaultLeaf: 'vaultLeaves', marketStats: 'marketStatsList' }

/** Every table of the indexer's schema that readers can query. */
export const tables: readonly MarketTable[] = Object.entries(readerTables).flatMap(([name, table]) =>
  is(table, PgTable) ? [describeTable(name, table)] : [],
)

/** Returns a table by its GraphQL name. @throws if there is none, which means that a name written by hand is wrong */
export function tableOf(name: string): MarketTable {
  return tables.find((table) => table.name === name) ?? unknown(`table ${name}`)
}

/** Returns a column by the name of its GraphQL field. @throws if the table has no such column */
export function columnOf(table: MarketTable, name: string): MarketColumn {
  return table.columns.get(name) ?? unknown(`column ${table.name}.${name}`)
}

function unknown(what: string): never {
  throw new Error(`the read model has no ${what}`)
}

function describeTable(name: string, table: PgTable): MarketTable {
  const config = getTableConfig(table)
  const about = texts[config.name] ?? unknown(`text of ${config.name}`)
  const fullIndexes = config.indexes.filter((index) => index.config.where === undefined)
  const indexedNames = new Set(
    fullIndexes.flatMap(
      ({
        config: {
          columns: [first],
        },
      }) => (first && 'name' in first ? [first.name] : []),
    ),
  )
  const columns = Object.entries(getTableColumns(table)).map(([field, column]): MarketColumn => {
    const element = is(column, PgArray) ? (column.baseColumn as Column) : column
    return {
      name: field,
      sql: `"${column.name}"`,
      sqlType: element.getSQLType(),
      type: findEnum(name, field) ?? types[element.columnType] ?? unknown(`type for ${element.columnType}`),
      isList: is(column, PgArray),
      isHex: element.columnType === 'PgHex',
      isNullable: !column.notNull,
      description: toGraphqlNames(about.columns[column.name] ?? unknown(`text of ${config.name}.${column.name}`)),
      isIndexed: indexedNames.has(column.name),
      beginSql: null,
    }
  })
  const primaryColumn = config.columns.find((column) => column.primary)
  const key = columns.find(({ sql }) => sql === `"${primaryColumn?.name}"`) ?? unknown(`key of ${name}`)
  const madeOf = columns.filter((column) => madeKeys[name]?.includes(column.name))
  if (madeOf[0] !== undefined) key.beginSql = madeOf[0].sql
  return {
    name,
    plural: pluralOf(name),
    sql: `"${config.name}"`,
    description: toGraphqlNames(about.about),
    columns: new Map(columns.map((column) => [column.name, column])),
    key,
    keyOrder: [...madeOf, key],
  }
}

function pluralOf(name: string): string {
  const regularPlural = /(ss|[^o]ch)$/.test(name) ? `${name}es` : `${name}s`
  return plurals[name] ?? (name.endsWith('y') ? `${name.slice(0, -1)}ies` : regularPlural)
}

/**
 * Replaces the column names in a text of the database by GraphQL field names: `task_id` in backticks becomes `taskId`.
 */
function toGraphqlNames(text: string): string {
  return text.replaceAll(/`[^`]+`/g, (code) =>
    code.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  )
}
