import type { Queryable } from './client.ts'

/** Height of the newest block whose rows the read model holds; -1 before the first. */
export async function findIndexedBlock(sql: Queryable): Promise<bigint> {
  const [head] = await sql<{ blockNumber: bigint }[]>`select block_number from indexed_head`
  return head?.blockNumber ?? -1n
}
