import type postgres from 'postgres'
import { type Address, parseEventLogs } from 'viem'
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
  // What the registrar answers without a charge is known here.
  const registered = await Promise.all(
    agents.map((agent) =>
      chain.client.readContract({
        abi: identityRegistrarAbi,
        address: chain.deployment.identityRegistrar,
        functionName: 'agentIdOf',
        args: [agent.address],
      }),
    ),
  )
  for (const [index, agent] of agents.entries()) {
    const chained: bigint[] = []
    for (let agentId = agent.agent_id; agentId !== null; agentId = next.get(String(agentId)) ?? null) {
      chained.push(BigInt(agentId))
    }
    expect(chained).toEqual(held.get(agent.address) ?? [])
    expect(agent.last_agent_id === null ? undefined : BigInt(agent.last_agent_id)).toBe(chained.at(-1))
    const [isRegistered, agentId] = registered[index] ?? [false]
    if (isRegistered) expect(chained).toContain(agentId)
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
  const owners = new Map<bigint, string>()
  const claims = new Set<string>()
  const held = new Map<string, bigint[]>()
  const place = (agentId: bigint, change: () => void, isFirst = false) => {
    const holderOf = (owner = owners.get(agentId)) => (claims.has(`${agentId}:${owner}`) ? owner : undefined)
    const before = holderOf()
    change()
    const owner = holderOf()
    if (!isFirst && before === owner) return
    for (const [account, agentIds] of held) {
      held.set(
        account,
        agentIds.filter((one) => one !== agentId),
      )
    }
    if (owner === undefined) return
    const others = held.get(owner) ?? []
    held.set(owner, isFirst ? [agentId, ...others] : [...others, agentId])
  }
  const claim = (agentId: bigint, account: Address) => claims.add(`${agentId}:${account.toLowerCase()}`)
  for (const { eventName, args } of parseEventLogs({ abi: [...identityRegistryAbi, ...identityRegistrarAbi], logs })) {
    if (eventName === 'Transfer') place(args.tokenId, () => owners.set(args.tokenId, args.to.toLowerCase()))
    if (eventName === 'Registered') place(args.agentId, () => claim(args.agentId, args.owner))
    if (eventName === 'AgentRegistered') place(args.agentId, () => claim(args.agentId, args.actor))
    if (eventName === 'AgentAdopted') place(args.agentId, () => claim(args.agentId, args.actor), true)
  }
  return held
}
