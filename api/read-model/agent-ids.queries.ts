import type { Address } from 'viem'
import type { Queryable } from '../db/client.ts'

/** Returns the ERC-8004 agent id of each address that has an agent id. */
export async function listAgentIds(sql: Queryable, addresses: readonly Address[]): Promise<Map<Address, bigint>> {
  const rows = await sql<{ address: Address; agentId: bigint }[]>`
    select address, agent_id from agent
    where address = any(${addresses as Address[]}::text[]) and agent_id is not null`
  return new Map(rows.map(({ address, agentId }) => [address, agentId]))
}
