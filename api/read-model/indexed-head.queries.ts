import type { Queryable } from '../db/client.ts'

/** The newest block whose rows the read model holds. The timestamp is in Unix seconds. */
export interface IndexedHead {
  blockNumber: bigint
  blockTimestamp: bigint
}

/** How far the read model is; null before its first block. */
export async function findIndexedHead(sql: Queryable): Promise<IndexedHead | null> {
  const [head] = await sql<IndexedHead[]>`select block_number, block_timestamp from indexed_head`
  return head ?? null
}

/** Height of that block; -1 before the first. */
export async function findIndexedBlock(sql: Queryable): Promise<bigint> {
  return (await findIndexedHead(sql))?.blockNumber ?? -1n
}

/**
 * Changes with every block of rows the indexer commits, and with the schema that is served; null when the read model
 * does not tell, or has nothing yet. (By way of json: views of an indexer of before have no such column.)
 */
export async function findIndexedVersion(sql: Queryable): Promise<string | null> {
  const [head] = await sql<{ version: string | null }[]>`
    select to_jsonb(indexed_head) ->> 'version' as version from indexed_head`
  return head?.version ?? null
}
