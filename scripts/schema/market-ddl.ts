import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ledgerQuery } from '../../ops/indexer/ledger-query.ts'
import { readerTables } from '../../src/views/reader-tables.ts'
import { generatedBy } from '../generated-by.ts'

/** A table, as Ponder describes it when it converts the schema to SQL. */
export interface TableDescription {
  tableName: string
  columns: { name: string; type: string; notNull: boolean; primaryKey: boolean }[]
}

/**
 * Ponder's function that converts the schema to SQL. Ponder does not export it, so it is imported by its path. If a new
 * version of Ponder changes it, the generated files change.
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

/**
 * SQL of a table in place of the view `indexed_head`. In a deployment, this view reads Ponder's checkpoint. Tests
 * insert a row into the table.
 */
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

/** Prefix of the tables in which Ponder stores old rows. A reorg restores these rows. */
const reorgPrefix = '_reorg__'

/** Returns the SQL that creates every table of the read model in the current search_path, with keys and indexes. */
export async function marketDdl(): Promise<string> {
  const { tables, indexes } = (await loadKit()).getSql(readerTables)
  const ownTables = tables.sql.filter((statement) => !statement.startsWith(`CREATE TABLE "${reorgPrefix}`))
  const ledger = `CREATE VIEW "ledger" AS\n${ledgerQuery.trim()};`
  return `${[HEADER, ...ownTables, INDEXED_HEAD, ...indexes.sql, ledger].map((statement) => statement.trim()).join('\n\n')}\n`
}

/** Lists every table of the read model with its columns. */
export async function listTables(): Promise<TableDescription[]> {
  const { tables } = (await loadKit()).getSql(readerTables)
  return tables.json.filter(({ tableName }) => !tableName.startsWith(reorgPrefix))
}

async function loadKit(): Promise<PonderKit> {
  const entry = fileURLToPath(import.meta.resolve('ponder'))
  return import(pathToFileURL(join(dirname(entry), 'drizzle/kit/index.js')).href)
}
