import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'

/**
 * Notified when the indexed head moves, with the new block number; in the transaction that commits the block's rows.
 */
export const headChannel = 'market_head'

/** Notified before that one, with the same number, of a block that changed no row. */
export const idleBlockChannel = 'market_idle_block'

/** From the notice to the first row that is taken back, milliseconds: the services hear of it by NOTIFY. */
const NOTICE_MS = 250

/**
 * Tells readers that Ponder is about to take rows back to its last safe block and to write them again. Until they are at
 * the height of now, `market.indexed_head` is not ready: the services answer no reads, instead of fewer rows than before.
 */
export async function beginRecovery(sql: postgres.Sql, schema: string): Promise<void> {
  const announced = await sql`
    UPDATE ${sql(schema)}._fence SET recovers_to = greatest(recovers_to, checkpoint.height)
    FROM (SELECT max(substr(latest_checkpoint, 27, 16)::bigint) AS height FROM ${sql(schema)}._ponder_checkpoint)
      AS checkpoint
    WHERE checkpoint.height IS NOT NULL
    RETURNING recovers_to`
  if (announced.length === 0) return
  await sql`SELECT pg_notify(${headChannel}, '')`
  await delay(NOTICE_MS)
}

/** The height that the rows are written again up to; null: none are missing. */
export async function findRecoveryHeight(sql: postgres.Sql, schema: string): Promise<bigint | null> {
  const [row] = await sql<{ height: string | null }[]>`SELECT recovers_to AS height FROM ${sql(schema)}._fence`
  return row?.height == null ? null : BigInt(row.height)
}

/** Makes the checkpoint say what the rows will be once Ponder has taken them back, which does not change it itself. */
export async function takeCheckpointBack(sql: postgres.Sql, schema: string): Promise<void> {
  await sql`UPDATE ${sql(schema)}._ponder_checkpoint SET latest_checkpoint = safe_checkpoint`
}

/** Tells readers that the rows are there: again, or for the first time. */
export async function endRecovery(sql: postgres.Sql, schema: string): Promise<void> {
  await sql`UPDATE ${sql(schema)}._fence SET recovers_to = NULL WHERE recovers_to IS NOT NULL`
  await sql`SELECT pg_notify(${headChannel}, '')`
}
