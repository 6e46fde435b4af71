import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ledgerQuery } from '../../ops/indexer/ledger-query.ts'
import { readerTables } from '../../src/views/reader-tables.ts'
import { generatedBy } from '../generated-by.ts'

/** A table as Ponder's schema-to-SQL step describes it. */
export interface TableDescription {
  tableName: string
  columns: { name: string; type: string; notNull: boolean; primaryKey: boolean }[]
}

/**
 * Ponder's schema-to-SQL step. The package does not export it, so it is imported by path; a change of it shows in the generated
 * files.
 */
interface PonderKit {
  getSql(schema: Record<string, unknown>): {
    tables: { sql: string[]; json: TableDescription[] }
    indexes: { sql: string[] }
  }
}

const HEADER = `-- ${generatedBy('scripts/schema/dump-schema.ts', 'ponder.schema.ts')}
-- The tables of the read model as Ponder creates them, and the history of tasks in the shape of its view, without a schema name: set
-- search_path first.
`

/** In a running deployment this is a view over Ponder's checkpoint; a test fills it by hand. */
const INDEXED_HEAD = `CREATE TABLE "indexed_head" (
	"block_number" bigint NOT NULL,
	"block_timestamp" bigint NOT NULL,
	"checkpoint" text NOT NULL,
	"ready" boolean DEFAULT true NOT NULL,
	"version" text,
	"schema_version" text DEFAULT 'idx_0000000000000000' NOT NULL,
	"origin" text,
	"recovers_to" bigint,
	"oldest_version" integer DEFAULT 1 NOT NULL
);`

/** Ponder keeps what a reorg may have to undo in tables of this prefix. */
const reorgPrefix = '_reorg__'

/** The SQL that builds every table of the read model, with its keys and indexes, in the current search_path. */
export async function marketDdl(): Promise<string> {
  const { tables, indexes } = (await loadKit()).getSql(readerTables)
  const ownTables = tables.sql.filter((statement) => !statement.startsWith(`CREATE TABLE "${reorgPrefix}`))
  const ledger = `CREATE VIEW "ledger" AS\n${ledgerQuery.trim()};`
  return `${[HEADER, ...ownTables, INDEXED_HEAD, ...indexes.sql, ledger].map((statement) => statement.trim()).join('\n\n')}\n`
}

/** Every table of the read model with its columns. */
export async function listTables(): Promise<TableDescription[]> {
  const { tables } = (await loadKit()).getSql(readerTables)
  return tables.json.filter(({ tableName }) => !tableName.startsWith(reorgPrefix))
}

async function loadKit(): Promise<PonderKit> {
  const entry = fileURLToPath(import.meta.resolve('ponder'))
  return import(pathToFileURL(join(dirname(entry), 'drizzle/kit/index.js')).href)
}
