import { readFile } from 'node:fs/promises'
import type { Queryable } from '../../api/db/client.ts'
import { viewQuery } from '../../ops/indexer/views-schema.ts'

const MARKET_SQL = new URL('./sql/market.sql', import.meta.url)

/**
 * The read model without an indexer, in the schema `market`, which is there and in the search path. All but the tasks
 * are tables themselves. Rows are written through the view.
 */
export async function createMarketTables(sql: Queryable): Promise<void> {
  await sql.unsafe(await readFile(MARKET_SQL, 'utf8'))
  await sql.unsafe(`
    create schema market_tables;
    alter table market.task set schema market_tables;
    create view market.task as ${viewQuery('market_tables', 'task')}`)
}
