import { readFile } from 'node:fs/promises'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { fillTaskSearch } from '../../../api/read-model/fill-task-search.ts'
import { viewQuery } from '../../../ops/indexer/views-schema.ts'

/** Unix seconds that the rows are told from: 2030-01-01T00:00:00Z. */
export const NOW = 1_893_456_000

/** The schema of the tables; `market` holds views of them, as in a running deployment. */
const tablesSchema = 'idx_00000000000000be'

/** How much there is: tasks with what belongs to them (load.sql), and agents in place of theirs (agents.sql). */
export interface RowCounts {
  tasks: number
  agents?: number
}

/** Builds the tables of the read model as Ponder does and those of the service by its migrations, and fills them. */
export async function loadRows(databaseUrl: string, { tasks, agents }: RowCounts): Promise<void> {
  const sql = connectDatabase({ url: databaseUrl, max: 1, statementTimeoutMs: 3_600_000 })
  try {
    // One connection, so that settings hold for all that follows. No bound of a transaction: this is one. Well below the
    // private memory that the server lets a process have (scripts/postgres/postgres.ts).
    await sql`set transaction_timeout = 0`
    await sql`set maintenance_work_mem = '96MB'`
    await sql`set work_mem = '48MB'`
    const [tables = '', loadTasks = '', loadAgents = ''] = await Promise.all(
      ['../../support/sql/market.sql', './load.sql', './agents.sql'].map((path) =>
        readFile(new URL(path, import.meta.url), 'utf8'),
      ),
    )
    await migrate(sql)
    await sql`create schema ${sql(tablesSchema)}`
    await sql`set search_path to ${sql(tablesSchema)}`
    // Indexes after the rows: each is then built in one go.
    const indexesFrom = tables.indexOf('CREATE INDEX')
    await sql.unsafe(tables.slice(0, indexesFrom))
    const dropped = await dropContentIndexes(sql)
    await sql.unsafe(`set bench.tasks = ${tasks}; set bench.now = ${NOW}`)
    await sql.unsafe(loadTasks)
    if (agents !== undefined) await sql.unsafe(`set bench.agents = ${agents}; ${loadAgents}`)
    await sql.unsafe(tables.slice(indexesFrom))
    for (const definition of dropped) await sql.unsafe(definition)
    await serveViews(sql)
    await fillSearch(databaseUrl)
    await sql`vacuum analyze`
  } finally {
    await sql.end()
  }
}

/** By the service's own loop, with its bounds of time. */
async function fillSearch(databaseUrl: string): Promise<void> {
  const sql = connectDatabase({ url: databaseUrl, max: 1 })
  try {
    while ((await fillTaskSearch({ sql })) === 0);
  } finally {
    await sql.end()
  }
}

/** Drops the indexes of the texts that no key needs; returns what makes them again. */
async function dropContentIndexes(sql: Database): Promise<string[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'service' and tablename = 'task_content' and not indexname like '%_pkey'`
  for (const { name } of indexes) await sql`drop index service.${sql(name)}`
  return indexes.map(({ definition }) => definition)
}

async function serveViews(sql: Database): Promise<void> {
  await sql`create schema market`
  const names = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = ${tablesSchema}`
  for (const { name } of names) {
    await sql.unsafe(`create view market."${name}" as ${viewQuery(tablesSchema, name)}`)
  }
}
