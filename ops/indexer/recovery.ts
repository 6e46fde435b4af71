import { setTimeout as delay } from 'node:timers/promises'
import type postgres from 'postgres'

/**
 * Notification channel for a new latest indexed block. The payload is the block number. The notification is sent in the
 * transaction that commits the block's rows.
 */
export const headChannel = 'market_head'

/**
 * Notification channel for a block that changed no row. The payload is the block number. The notification precedes the
 * one on `headChannel`.
 */
export const idleBlockChannel = 'market_idle_block'

/**
 * Time in milliseconds between the announcement of a recovery and the first reverted row. In this time the services
 * receive the announcement.
 */
const NOTICE_MS = 250

/**
 * Announces to readers that Ponder will revert the rows to its last safe block and write them again. Until the rows are
 * again at the height that they had before the revert, `market.indexed_head` is not ready, and the services refuse
 * reads.
 */
export async function beginRecovery(sql: postgres.Sql, schema: string): Promise<void> {
  const announcedRows = await sql`
    UPDATE ${sql(schema)}._fence SET recovers_to = greatest(recovers_to, checkpoint.height)
    FROM (SELECT max(substr(latest_checkpoint, 27, 16)::bigint) AS height FROM ${sql(schema)}._ponder_checkpoint)
      AS checkpoint
    WHERE checkpoint.height IS NOT NULL
    RETURNING recovers_to`
  if (announcedRows.length === 0) return
  await sql`SELECT pg_notify(${headChannel}, '')`
  await delay(NOTICE_MS)
}

/** Returns the block height up to which the indexer must write the rows again; null if no rows are missing. */
export async function findRecoveryHeight(sql: postgres.Sql, schema: string): Promise<bigint | null> {
  const [row] = await sql<{ height: string | null }[]>`SELECT recovers_to AS height FROM ${sql(schema)}._fence`
  return row?.height == null ? null : BigInt(row.height)
}

/**
 * Sets Ponder's latest checkpoint back to the safe checkpoint. Ponder itself reverts the rows to the safe checkpoint,
 * but leaves the latest checkpoint unchanged.
 */
export async function takeCheckpointBack(sql: postgres.Sql, schema: string): Promise<void> {
  await sql`UPDATE ${sql(schema)}._ponder_checkpoint SET latest_checkpoint = safe_checkpoint`
}

/** Announces to readers that the rows are complete. */
export async function endRecovery(sql: postgres.Sql, schema: string): Promise<void> {
  await sql`UPDATE ${sql(schema)}._fence SET recovers_to = NULL WHERE recovers_to IS NOT NULL`
  await sql`SELECT pg_notify(${headChannel}, '')`
}
