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

/** A column of the read model, as GraphQL shows it. */
export interface MarketColumn {
  /** Name of the field. */
  name: string
  /** Quoted name of the column. */
  sql: string
  /** PostgreSQL's type. */
  sqlType: string
  /** Type of the value, or of one element of a list. */
  type: GraphQLScalarType | GraphQLEnumType
  isList: boolean
  /** An address or a hash: text in lower case. */
  isHex: boolean
  isNullable: boolean
  description: string
  /** True if an index begins with the column, so that a filter by it finds rows quickly. */
  isIndexed: boolean
  /**
   * Quoted column that has the part of the value before the colon, if only that column has an index; null: the column
   * itself.
   */
  beginSql: string | null
}

/** A table of the read model. */
export interface MarketTable {
  /** Name of the type and of the field of one row. Example: `task`. */
  name: string
  /** Name of the field of a list. Example: `tasks`. */
  plural: string
  sql: string
  description: string
  columns: ReadonlyMap<string, MarketColumn>
  /** Primary key. Every table has a key of one column. */
  key: MarketColumn
  /** The columns of the order by the key. */
  keyOrder: readonly MarketColumn[]
}

/**
 * Tables with a key that reads join from two columns as `<first>:<second>`. The order of the key is that of the two
 * columns.
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

/** Plurals that the rule does not produce. A table of totals has a list of one row. */
const plurals: Record<string, string> = { vaultLeaf: 'vaultLeaves', marketStats: 'marketStatsList' }

/** Every table of the indexer's schema. */
export const tables: readonly MarketTable[] = Object.entries(readerTables).flatMap(([name, table]) =>
  is(table, PgTable) ? [describeTable(name, table)] : [],
)

/** Returns a table by name. @throws for an unknown name, because names of relations are written by hand */
export function tableOf(name: string): MarketTable {
  return tables.find((table) => table.name === name) ?? unknown(`table ${name}`)
}

/** Returns a column by name. @throws for an unknown name */
export function columnOf(table: MarketTable, name: string): MarketColumn {
  return table.columns.get(name) ?? unknown(`column ${table.name}.${name}`)
}

function unknown(what: string): never {
  throw new Error(`the read model has no ${what}`)
}

function describeTable(name: string, table: PgTable): MarketTable {
  const config = getTableConfig(table)
  const about = texts[config.name] ?? unknown(`text of ${config.name}`)
  const whole = config.indexes.filter((index) => index.config.where === undefined)
  const indexed = new Set(
    whole.flatMap(
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
      isIndexed: indexed.has(column.name),
      beginSql: null,
    }
  })
  const primary = config.columns.find((column) => column.primary)
  const key = columns.find(({ sql }) => sql === `"${primary?.name}"`) ?? unknown(`key of ${name}`)
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
  const regular = /(ss|[^o]ch)$/.test(name) ? `${name}es` : `${name}s`
  return plurals[name] ?? (name.endsWith('y') ? `${name.slice(0, -1)}ies` : regular)
}

/** Replaces names of columns in the database's comments: `task_id` in backticks becomes `taskId`. */
function toGraphqlNames(text: string): string {
  return text.replaceAll(/`[^`]+`/g, (code) =>
    code.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  )
}
