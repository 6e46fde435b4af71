import type postgres from 'postgres'
import { createPublicClient, http } from 'viem'

/** The latest indexed block in a deployment's rows. */
export interface IndexedHead {
  blockNumber: bigint
  /** The time of the block, in Unix seconds. */
  blockTimestamp: bigint
  /** False while the indexer backfills or recovers the rows of the deployment. */
  isReady: boolean
}

/** Reads the latest indexed block of a schema. Returns null if Ponder has not written a checkpoint yet. */
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

/** The latest block of a node. */
export interface NodeHead {
  number: bigint
  /** The time of the block, in Unix seconds. */
  timestamp: bigint
}

/** Creates a function that reads the node's latest block. Each call sends a request. */
export function createHeadReader(rpcUrl: string): () => Promise<NodeHead> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 5000, retryCount: 0 }) })
  return async () => {
    const { number, timestamp } = await client.getBlock({ blockTag: 'latest' })
    return { number, timestamp }
  }
}

/** Maximum difference in seconds between the time of the latest block and the host's clock. */
const MOST_DISTANCE_SECONDS = 60n

/**
 * Returns true if a node's latest block is plausible. One wrong answer of a node must not restart a healthy indexer.
 *
 * The block's time must be within 60 seconds of the host's clock. The number of new blocks must be at most the seconds
 * since the indexed block, plus 60. Each block is at least one second later than its parent.
 *
 * Example: if the indexed block 1000 is 30 seconds old, the height of the latest block may be at most 1090 (1000 + 30 +
 * 60).
 * @param nowSeconds the host's clock, in Unix seconds
 */
export function isHeadPlausible(head: NodeHead, indexedHead: IndexedHead, nowSeconds: bigint): boolean {
  const distance = head.timestamp > nowSeconds ? head.timestamp - nowSeconds : nowSeconds - head.timestamp
  if (distance > MOST_DISTANCE_SECONDS) return false
  return head.number - indexedHead.blockNumber <= nowSeconds + MOST_DISTANCE_SECONDS - indexedHead.blockTimestamp
}
