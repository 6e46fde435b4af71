import type postgres from 'postgres'
import { createPublicClient, http } from 'viem'

/** Where a deployment's rows stand. */
export interface IndexedHead {
  blockNumber: bigint
  /** False while a backfill or a recovery is under way. */
  isReady: boolean
}

/** The indexed head of a schema; null before Ponder has written its first checkpoint. */
export async function findIndexedHead(sql: postgres.Sql, schema: string): Promise<IndexedHead | null> {
  const rows = await sql<{ blockNumber: string; isReady: boolean }[]>`
    SELECT substr(latest_checkpoint, 27, 16)::bigint AS "blockNumber",
           (SELECT (value ->> 'is_ready') = '1' FROM ${sql(schema)}._ponder_meta WHERE key = 'app') AS "isReady"
    FROM ${sql(schema)}._ponder_checkpoint`
  const [row] = rows
  return row === undefined ? null : { blockNumber: BigInt(row.blockNumber), isReady: row.isReady }
}

/** The height of the chain, asked anew at each call. */
export function createHeadReader(rpcUrl: string): () => Promise<bigint> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 5000, retryCount: 0 }) })
  return () => client.getBlockNumber({ cacheTime: 0 })
}
