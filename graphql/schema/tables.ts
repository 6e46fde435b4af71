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
import * as schema from '../../ponder.schema.ts'
import { findEnum } from './enums.ts'
import { GraphQLBigInt, GraphQLJson } from './scalars.ts'

/** A column of the read model, as GraphQL shows it. */
export interface MarketColumn {
  /** The field. */
  name: string
  /** The column, quoted. */
  sql: string
  /** PostgreSQL's type. */
  sqlType: string
  /** Of one element where the column is a list. */
  type: GraphQLScalarType | GraphQLEnumType
  isList: boolean
  /** An address or a hash: text in lower case. */
  isHex: boolean
  isNullable: boolean
  description: string
  /** An index begins with it, so rows are found by it. */
  isIndexed: boolean
}

/** A table of the read model. */
export interface MarketTable {
  /** The type, and the field of a single row. */
  name: string
  /** The field of a list. */
  plural: string
  sql: string
  description: string
  columns: ReadonlyMap<string, MarketColumn>
  /** The primary key: every table has one column for it. */
  key: MarketColumn
}

const texts: Record<string, { about: string; columns: Record<string, string> }> = marketTexts.views
const types: Record<string, GraphQLScalarType> = {
  PgText: GraphQLString,
  PgHex: GraphQLString,
  PgBoolean: GraphQLBoolean,
  PgInteger: GraphQLInt,
  // Up to 2^32, which Int does not hold.
  PgBigInt53: GraphQLFloat,
  PgBigInt64: GraphQLBigInt,
  PgEvmBigint: GraphQLBigInt,
  PgJson: GraphQLJson,
}

/** Plurals that the rule does not make; a row of totals is a list of one. */
const plurals: Record<string, string> = { vaultLeaf: 'vaultLeaves', marketStats: 'marketStatsList' }

/** Every table of the indexer's schema. */
export const tables: readonly MarketTable[] = Object.entries(schema).flatMap(([name, table]) =>
  is(table, PgTable) ? [describeTable(name, table)] : [],
)

/** @throws for a table that is not there: the names of relations are written by hand */
export function tableOf(name: string): MarketTable {
  return tables.find((table) => table.name === name) ?? unknown(`table ${name}`)
}

/** @throws for a column that is not there */
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
    }
  })
  const primary = config.columns.find((column) => column.primary)
  const key = columns.find(({ sql }) => sql === `"${primary?.name}"`) ?? unknown(`key of ${name}`)
  return {
    name,
    plural: pluralOf(name),
    sql: `"${config.name}"`,
    description: toGraphqlNames(about.about),
    columns: new Map(columns.map((column) => [column.name, column])),
    key,
  }
}

function pluralOf(name: string): string {
  const regular = /(ss|[^o]ch)$/.test(name) ? `${name}es` : `${name}s`
  return plurals[name] ?? (name.endsWith('y') ? `${name.slice(0, -1)}ies` : regular)
}

/** The texts are the database's comments: `task_id` in backticks is `taskId` here. */
function toGraphqlNames(text: string): string {
  return text.replaceAll(/`[^`]+`/g, (code) =>
    code.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  )
}
