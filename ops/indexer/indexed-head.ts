import type postgres from 'postgres'
import { createPublicClient, http } from 'viem'

/** The last indexed block of a deployment's rows. */
export interface IndexedHead {
  blockNumber: bigint
  /** Unix seconds. */
  blockTimestamp: bigint
  /** False during a backfill or a recovery. */
  isReady: boolean
}

/** Reads the indexed head of a schema; null: Ponder has written no checkpoint yet. */
export async function findIndexedHead(sql: postgres.Sql, schema: string): Promise<IndexedHead | null> {
  const rows = await sql<{ blockNumber: string; blockTimestamp: string; isReady: boolean }[]>`
    SELECT substr(latest_checkpoint, 27, 16)::bigint AS "blockNumber",
           substr(latest_checkpoint, 1, 10)::bigint AS "blockTimestamp",
           (SELECT (value ->> 'is_ready') = '1' FROM ${sql(schema)}._ponder_meta WHERE key = 'app') AS "isReady"
    FROM ${sql(schema)}._ponder_checkpoint`
  const [row] = rows
  if (row === undefined) return null
  const { blockNumber, blockTimestamp, isReady } = row
  return { blockNumber: BigInt(blockNumber), blockTimestamp: BigInt(blockTimestamp), isReady }
}

/** The newest block of a node. */
export interface NodeHead {
  number: bigint
  /** Unix seconds. */
  timestamp: bigint
}

/** Creates a reader of the node's newest block, which sends a request at each call. */
export function createHeadReader(rpcUrl: string): () => Promise<NodeHead> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 5000, retryCount: 0 }) })
  return async () => {
    const { number, timestamp } = await client.getBlock({ blockTag: 'latest' })
    return { number, timestamp }
  }
}

/** Maximum difference between the time of a head and the host's clock, seconds. */
const MOST_DISTANCE_SECONDS = 60n

/**
 * Judges a head by the host's clock. Each block is at least a second later than the one before, so at most as many blocks as
 * seconds follow the indexed block. A single wrong head must not restart a healthy indexer.
 *
 * Example: for the indexed block 1000 of a minute ago, a head of 1061 is not plausible.
 * @param nowSeconds the host's clock, Unix seconds
 */
export function isHeadPlausible(head: NodeHead, indexed: IndexedHead, nowSeconds: bigint): boolean {
  const distance = head.timestamp > nowSeconds ? head.timestamp - nowSeconds : nowSeconds - head.timestamp
  if (distance > MOST_DISTANCE_SECONDS) return false
  return head.number - indexed.blockNumber <= nowSeconds + MOST_DISTANCE_SECONDS - indexed.blockTimestamp
}
