import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { listTables } from './market-ddl.ts'
import { readSchemaComments } from './schema-comments.ts'

/** The description of a view (`about`), and the descriptions of its columns by name. */
export interface ViewTexts {
  about: string
  columns: Record<string, string>
}

/** The description of a schema (`about`), and the descriptions of its views by name. */
export interface SchemaTexts {
  about: string
  views: Record<string, ViewTexts>
}

const ABOUT =
  'The read model of the chain, written by the indexer: one view per table of the served deployment. Amounts are ' +
  'base units, addresses and hashes lower-case hex, times Unix seconds unless a column says otherwise. docs/build/tables.md has ' +
  'the same texts; the schema analytics has views for people.'

const INDEXED_HEAD: ViewTexts = {
  about:
    'One row: the last block that the rows of this schema include. The transaction that commits the rows of a block ' +
    'notifies the channel market_head with the block number.',
  columns: {
    block_number: 'Height of the last indexed block.',
    block_timestamp: 'Time of that block, Unix seconds.',
    checkpoint:
      "Ponder's checkpoint, 75 digits: time (10), chain (16), block (16), transaction (16), kind (1), log (16).",
    ready: 'False during a backfill or a recovery: rows may then be missing.',
    version:
      'Version of the rows. It changes with every commit of rows, also with a reorg to the same height and time.',
    schema_version: 'Name of the deployment that wrote the rows: `idx_` and 16 hex digits.',
    origin: 'Run of the database server that wrote the rows.',
    recovers_to: 'Height up to which a recovery restores rows that existed before; null: no rows are missing.',
    oldest_version: 'Oldest data version of a service that may read these rows.',
  },
}

/** Descriptions of columns that a view has in addition to the columns of its table. */
const ADDED_COLUMNS: Record<string, Record<string, string>> = {
  task: { row_version: 'Version of the row. It changes with every change of the row, also in a reorg.' },
}

/** Descriptions of columns of `market.ledger` that `analytics.ledger` does not have or describes differently. */
const LEDGER_PARTS = {
  operation: '4-byte selector of the call relayed in the transaction; null: a direct call.',
  from_class: "The first part of `from_account`: `escrow` of `escrow:<task>`; `wallet` of a wallet's address.",
  from_owner: 'The second part of it: a task, wallet or contract. A condition on class and owner uses an index.',
  to_class: 'The first part of `to_account`.',
  to_owner: 'The second part of it. The owner of `service_fees` and `bonus_reserve` is their contract.',
}

/**
 * Returns the descriptions of every view and column of the schema `market`. They come from the comments of src/schema.
 * The descriptions of the ledger come from api/db/analytics/ledger.json.
 * @throws with the names of all tables and columns without a description
 */
export async function marketTexts(): Promise<SchemaTexts> {
  const comments = readSchemaComments()
  const missingNames: string[] = []
  const textOf = (name: string, text: string | undefined) => {
    if (text === undefined || text === '') missingNames.push(name)
    return text ?? ''
  }
  const views: [string, ViewTexts][] = (await listTables()).map(({ tableName, columns }) => {
    const table = comments.get(tableName)
    const texts = columns.map(({ name }) => [name, textOf(`${tableName}.${name}`, table?.columns.get(name))])
    return [
      tableName,
      {
        about: textOf(tableName, table?.about),
        columns: { ...ADDED_COLUMNS[tableName], ...Object.fromEntries(texts) },
      },
    ]
  })
  if (missingNames.length > 0) throw new Error(`src/schema says nothing about ${missingNames.join(', ')}`)
  const all = [...views, ['indexed_head', INDEXED_HEAD] as const, ['ledger', ledgerTexts()] as const]
  return { about: ABOUT, views: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

function ledgerTexts(): ViewTexts {
  const { about, columns } = readAnalyticsTexts('ledger')
  return { about, columns: { ...columns, ...LEDGER_PARTS } }
}

/** Reads the descriptions of a view of the schema `analytics` and its columns. */
export function readAnalyticsTexts(view: string): ViewTexts {
  return JSON.parse(readFileSync(join(repositoryRoot, 'api', 'db', 'analytics', `${view}.json`), 'utf8'))
}
