import { readFile } from 'node:fs/promises'
import type postgres from 'postgres'

/** A deployment in the state of Ponder at `block`, with one additional table. */
export async function deploy(
  sql: postgres.Sql,
  schema: string,
  { block, columns }: { block: number; columns: string },
): Promise<void> {
  const checkpoint = `17000000${String(block).padStart(2, '0')}${'8453'.padStart(16, '0')}${String(block).padStart(16, '0')}${'9'.repeat(33)}`
  await sql.unsafe(`
    CREATE SCHEMA ${schema};
    CREATE TABLE ${schema}.task (${columns});
    CREATE TABLE ${schema}._reorg__task (${columns});
    CREATE TABLE ${schema}._ponder_meta (key text PRIMARY KEY, value jsonb NOT NULL);
    CREATE TABLE ${schema}._ponder_checkpoint
      (chain_name text PRIMARY KEY, latest_checkpoint varchar(75) NOT NULL, safe_checkpoint varchar(75) NOT NULL);
    CREATE TABLE ${schema}._fence (origin text, recovers_to bigint);
    INSERT INTO ${schema}._fence VALUES ('1/2');
    INSERT INTO ${schema}._ponder_meta VALUES ('app', '{"is_ready": 1}');
    INSERT INTO ${schema}._ponder_checkpoint VALUES ('base', '${checkpoint}', '${checkpoint}')`)
}

/**
 * A deployment with all tables, and a gift of so much in them.
 * @param options.change another definition of the tables
 */
export async function deployAll(
  sql: postgres.Sql,
  schema: string,
  { block, gift, change = (tables) => tables }: { block: number; gift: number; change?: (tables: string) => string },
): Promise<void> {
  await deploy(sql, schema, { block, columns: '' })
  const tables = change(await readFile(new URL('../../support/sql/market.sql', import.meta.url), 'utf8'))
  await sql.begin(async (tx) => {
    await tx.unsafe(
      `SET LOCAL search_path = ${schema}; DROP TABLE task; ${tables}; DROP TABLE indexed_head; DROP VIEW ledger`,
    )
    await tx`
      INSERT INTO market_config (id, market, forwarder, usdc, fee_bps, default_hooks, paused, event_count)
      VALUES ('market', '0xa', '0xb', '0xc', 0, '{}', false, 0)`
    const arrival = { id: '0xa:0', token: '0xc', contract: '0xa', sender: '0xd', amount: gift }
    const position = {
      block_number: 1,
      block_timestamp: 1,
      transaction_hash: '0xe',
      transaction_index: 0,
      log_index: 0,
    }
    await tx`
      INSERT INTO arrival SELECT * FROM jsonb_populate_record(null::arrival, ${JSON.stringify({ ...arrival, ...position })}::text::jsonb)`
  })
}
