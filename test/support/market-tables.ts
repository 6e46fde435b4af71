import { readFile } from 'node:fs/promises'
import type { Queryable } from '../../api/db/client.ts'
import { viewQuery } from '../../ops/indexer/views-schema.ts'

const MARKET_SQL = new URL('./sql/market.sql', import.meta.url)

/**
 * The read model without an indexer, in the schema `market`, which is there and in the search path. All but the tasks
 * are tables themselves. Rows are written through the view. The table is where an indexer would have it, so that the
 * logins have their usual rights.
 */
export async function createMarketTables(sql: Queryable): Promise<void> {
  await sql.unsafe(await readFile(MARKET_SQL, 'utf8'))
  await sql.unsafe(`
    create schema idx_0000000000000000;
    alter table market.task set schema idx_0000000000000000;
    create view market.task as ${viewQuery('idx_0000000000000000', 'task')}`)
}
