import type postgres from 'postgres'
import { createPublicClient, http } from 'viem'

/** Where a deployment's rows stand. */
export interface IndexedHead {
  blockNumber: bigint
  /** Unix seconds. */
  blockTimestamp: bigint
  /** False while a backfill or a recovery is under way. */
  isReady: boolean
}

/** The indexed head of a schema; null before Ponder has written its first checkpoint. */
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

/** The newest block of the node, asked anew at each call. */
export function createHeadReader(rpcUrl: string): () => Promise<NodeHead> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 5000, retryCount: 0 }) })
  return async () => {
    const { number, timestamp } = await client.getBlock({ blockTag: 'latest' })
    return { number, timestamp }
  }
}

/** How far the time of a head may be from the host's clock, seconds. */
const MOST_DISTANCE_SECONDS = 60n

/**
 * Judges whether the host's clock supports a head. Each block is at least a second later than the one before, so from the indexed
 * block to now there are at most as many blocks as seconds. One lying head must not restart an indexer that is well.
 *
 * Example: at the indexed block 1000 of a minute ago, a head of 1061 is believed no more.
 * @param nowSeconds the host's clock, Unix seconds
 */
export function isHeadPlausible(head: NodeHead, indexed: IndexedHead, nowSeconds: bigint): boolean {
  const distance = head.timestamp > nowSeconds ? head.timestamp - nowSeconds : nowSeconds - head.timestamp
  if (distance > MOST_DISTANCE_SECONDS) return false
  return head.number - indexed.blockNumber <= nowSeconds + MOST_DISTANCE_SECONDS - indexed.blockTimestamp
}
