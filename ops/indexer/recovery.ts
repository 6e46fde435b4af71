import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'

/** Channel notified with the new block number when the indexed head moves, in the transaction that commits the block's rows. */
export const headChannel = 'market_head'

/** Channel notified before that one, with the same number, for a block that changed no row. */
export const idleBlockChannel = 'market_idle_block'

/** Time from the notice to the first reverted row, milliseconds. The services receive the notice by NOTIFY. */
const NOTICE_MS = 250

/**
 * Announces to readers that Ponder will revert rows to its last safe block and write them again. Until the rows reach the current
 * height, `market.indexed_head` is not ready: the services answer no reads, instead of fewer rows than before.
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

/** Returns the height up to which rows are written again; null: no rows are missing. */
export async function findRecoveryHeight(sql: postgres.Sql, schema: string): Promise<bigint | null> {
  const [row] = await sql<{ height: string | null }[]>`SELECT recovers_to AS height FROM ${sql(schema)}._fence`
  return row?.height == null ? null : BigInt(row.height)
}

/** Sets the checkpoint to its value after Ponder's revert. Ponder does not change it itself. */
export async function takeCheckpointBack(sql: postgres.Sql, schema: string): Promise<void> {
  await sql`UPDATE ${sql(schema)}._ponder_checkpoint SET latest_checkpoint = safe_checkpoint`
}

/** Announces to readers that the rows are complete, again or for the first time. */
export async function endRecovery(sql: postgres.Sql, schema: string): Promise<void> {
  await sql`UPDATE ${sql(schema)}._fence SET recovers_to = NULL WHERE recovers_to IS NOT NULL`
  await sql`SELECT pg_notify(${headChannel}, '')`
}
