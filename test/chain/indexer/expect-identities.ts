import type postgres from 'postgres'
import { parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { identityRegistrarAbi } from '../../../abis/identity-registrar.ts'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import type { MarketChain } from './market-chain.ts'
import type { MarketLogs } from './market-logs.ts'

/** Owners against ownerOf, and each owner's list of identities against the claims and transfers. */
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

  const held = await foldClaimedIdentities(chain)
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

/**
 * The identities that each account owns and claimed, in order: those it registered in the registry or through the
 * registrar and those transferred back are appended, an adopted one is prepended.
 */
export async function foldClaimedIdentities(chain: MarketChain): Promise<Map<string, bigint[]>> {
  const { identityRegistry, identityRegistrar, startBlock } = chain.deployment
  const logs = await chain.client.getLogs({
    address: [identityRegistry, identityRegistrar],
    fromBlock: BigInt(startBlock),
  })
  const [owners, claimants] = [new Map<bigint, string>(), new Map<bigint, string>()]
  const held = new Map<string, bigint[]>()
  const place = (agentId: bigint, change: () => void, isFirst = false) => {
    const before = [owners.get(agentId), claimants.get(agentId)].join()
    change()
    const [owner, claimant] = [owners.get(agentId), claimants.get(agentId)]
    if (!isFirst && before === [owner, claimant].join()) return
    for (const [account, agentIds] of held) {
      held.set(
        account,
        agentIds.filter((one) => one !== agentId),
      )
    }
    if (owner === undefined || owner !== claimant) return
    const others = held.get(owner) ?? []
    held.set(owner, isFirst ? [agentId, ...others] : [...others, agentId])
  }
  for (const { eventName, args } of parseEventLogs({ abi: [...identityRegistryAbi, ...identityRegistrarAbi], logs })) {
    if (eventName === 'Transfer') place(args.tokenId, () => owners.set(args.tokenId, args.to.toLowerCase()))
    if (eventName === 'Registered') place(args.agentId, () => claimants.set(args.agentId, args.owner.toLowerCase()))
    if (eventName === 'AgentRegistered') {
      place(args.agentId, () => claimants.set(args.agentId, args.actor.toLowerCase()))
    }
    if (eventName === 'AgentAdopted') {
      place(args.agentId, () => claimants.set(args.agentId, args.actor.toLowerCase()), true)
    }
  }
  return held
}
