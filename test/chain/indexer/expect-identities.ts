import type postgres from 'postgres'
import { expect } from 'vitest'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import type { MarketChain } from './market-chain.ts'
import type { MarketLogs } from './market-logs.ts'

/** Owners against ownerOf, and each owner's chain of identities against the transfers that made it. */
export async function expectIdentitiesEqual(subject: {
  sql: postgres.Sql
  chain: MarketChain
  logs: MarketLogs
}): Promise<void> {
  const { sql, chain, logs } = subject
  const registry = { abi: identityRegistryAbi, address: chain.deployment.identityRegistry } as const
  const owners = await Promise.all(
    logs.agentIds.map((agentId) =>
      chain.client.readContract({ ...registry, functionName: 'ownerOf', args: [agentId] }),
    ),
  )
  const rows = await sql`SELECT * FROM market.identity ORDER BY agent_id`
  expect(rows.map((row) => [BigInt(row.agent_id), row.owner])).toEqual(
    logs.agentIds.map((agentId, index) => [agentId, owners[index]?.toLowerCase()]),
  )
  expect(rows.every((row) => row.registered_at !== null)).toBe(true)

  const transfers = await chain.client.getContractEvents({
    ...registry,
    eventName: 'Transfer',
    fromBlock: BigInt(chain.deployment.startBlock),
    strict: true,
  })
  const held = new Map<string, bigint[]>()
  for (const { args } of transfers) {
    const from = args.from.toLowerCase()
    const to = args.to.toLowerCase()
    if (from === to) continue
    held.set(
      from,
      (held.get(from) ?? []).filter((agentId) => agentId !== args.tokenId),
    )
    held.set(to, [...(held.get(to) ?? []), args.tokenId])
  }
  const agents = await sql`SELECT address, agent_id, last_agent_id FROM market.agent`
  const next = new Map(rows.map((row) => [String(row.agent_id), row.next_owned_id]))
  for (const agent of agents) {
    const chained: bigint[] = []
    for (let agentId = agent.agent_id; agentId !== null; agentId = next.get(String(agentId)) ?? null) {
      chained.push(BigInt(agentId))
    }
    expect(chained).toEqual(held.get(agent.address) ?? [])
    expect(agent.last_agent_id === null ? undefined : BigInt(agent.last_agent_id)).toBe(chained.at(-1))
  }
}
