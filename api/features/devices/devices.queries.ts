import type { Address } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** The ERC-8004 id of an address; null while none is indexed. */
export async function findAgentId(sql: Queryable, address: Address): Promise<bigint | null> {
  const rows = await sql<{ agentId: bigint | null }[]>`select agent_id from agent where address = ${address}`
  return rows[0]?.agentId ?? null
}
