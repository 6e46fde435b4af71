import { analyticsViews } from '../../api/db/analytics/views.ts'
import { listTables } from './market-ddl.ts'
import { readAnalyticsTexts, type SchemaTexts } from './market-texts.ts'
import { findReference, type Keys } from './references.ts'

/** The facts of a column of the schema `market`. */
export interface ColumnFacts {
  type: string
  isKey: boolean
  isNullable: boolean
  /** The key to which the column refers, as `<table>.<column>`; null if it refers to none. */
  references: string | null
}

/**
 * Facts about a view that `GET /api/sql/schema` adds to PostgreSQL's catalog. In the catalog, a view has no keys, and
 * every column of a view may be null.
 */
interface ViewFacts {
  key: string | null
  /** The columns that may be null; null if this is not known. */
  nullable: string[] | null
  /** The keys to which columns refer, by column. A key is `<schema>.<table>.<column>`. */
  references: Record<string, string>
}

/** The facts of columns of the schema `market`, by view and column. */
export type MarketFacts = Record<string, Record<string, ColumnFacts>>

/** Types of columns of views that are not columns of a table. A type that ends with `?` may be null. */
const madeTypes: Record<string, Record<string, string>> = {
  indexed_head: {
    block_number: 'bigint',
    block_timestamp: 'bigint',
    checkpoint: 'text',
    ready: 'boolean',
    version: 'text',
    schema_version: 'text',
    origin: 'text',
    recovers_to: 'bigint?',
    oldest_version: 'integer',
  },
  ledger: {
    id: 'text',
    block_number: 'bigint',
    at: 'timestamptz',
    tx_hash: 'text',
    log_index: 'integer',
    asset: 'text',
    kind: 'text',
    from_account: 'text',
    to_account: 'text',
    amount: 'numeric',
    amount_units: 'numeric?',
    task_id: 'text?',
    operation: 'text?',
    from_class: 'text',
    from_owner: 'text',
    to_class: 'text',
    to_owner: 'text',
  },
  task: { row_version: 'text' },
}

/** Keys of the views that combine several tables. */
const marketKeys: Keys = new Map([['ledger', 'id']])
const analyticsKeys: Keys = new Map(analyticsViews.flatMap(({ name, key }) => (key === null ? [] : [[name, key]])))

/**
 * Returns the facts of every column of the schema `market`.
 * @throws if the type of a column is not known
 */
export async function marketFacts({ views }: SchemaTexts): Promise<MarketFacts> {
  const tables = new Map((await listTables()).map(({ tableName, columns }) => [tableName, columns]))
  const tableKeys = [...tables].flatMap(([table, columns]): [string, string][] =>
    columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => [table, name]),
  )
  const keys: Keys = new Map([...tableKeys, ...marketKeys])
  const factsOf = (view: string, name: string): ColumnFacts => {
    const sharedFacts = { isKey: keys.get(view) === name, references: findReference(keys, view, name) }
    const column = tables.get(view)?.find((candidate) => candidate.name === name)
    if (column !== undefined)
      return { ...sharedFacts, type: column.type, isNullable: !column.notNull && !sharedFacts.isKey }
    const madeType = madeTypes[view]?.[name]
    if (madeType === undefined) throw new Error(`the type of ${view}.${name} is missing`)
    return { ...sharedFacts, type: madeType.replace('?', ''), isNullable: madeType.endsWith('?') }
  }
  return Object.fromEntries(
    Object.entries(views).map(([view, { columns }]) => [
      view,
      Object.fromEntries(Object.keys(columns).map((name) => [name, factsOf(view, name)])),
    ]),
  )
}

/** Returns the facts of the views of the schemas `market` and `analytics`, by schema and view. */
export function viewFacts(market: MarketFacts): Record<'market' | 'analytics', Record<string, ViewFacts>> {
  const analytics = analyticsViews.map(({ name }): [string, ViewFacts] => {
    const columns = Object.keys(readAnalyticsTexts(name).columns)
    const references = columns.map((column) => [column, findReference(analyticsKeys, name, column)] as const)
    return [name, { key: analyticsKeys.get(name) ?? null, nullable: null, references: named('analytics', references) }]
  })
  return {
    market: Object.fromEntries(Object.entries(market).map(([view, columns]) => [view, toViewFacts(columns)])),
    analytics: Object.fromEntries(analytics),
  }
}

function toViewFacts(columns: Record<string, ColumnFacts>): ViewFacts {
  const all = Object.entries(columns)
  return {
    key: all.find(([, { isKey }]) => isKey)?.[0] ?? null,
    nullable: all.filter(([, { isNullable }]) => isNullable).map(([name]) => name),
    references: named(
      'market',
      all.map(([name, { references }]) => [name, references]),
    ),
  }
}

function named(schema: string, references: readonly (readonly [string, string | null])[]): Record<string, string> {
  return Object.fromEntries(references.flatMap(([column, key]) => (key === null ? [] : [[column, `${schema}.${key}`]])))
}
