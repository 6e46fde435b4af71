import type { Address } from 'viem'
import { zeroAddress } from 'viem'
import { agent, identity } from '../schema/agent.ts'
import { ensureAgent } from './agents.ts'
import type { Store } from './store.ts'

/**
 * Makes `owner` the owner of an identity and keeps both owners' chains. The registry is not ours: an identity may be
 * new here at any event, and an event may say what is known already. Nothing here throws.
 */
export async function setIdentityOwner(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const row = await store.find(identity, { agentId })
  if (row?.owner === owner) return
  if (row === null) {
    await store.insert(identity).values({
      agentId,
      owner,
      registeredAt: null,
      previousOwnedId: null,
      nextOwnedId: null,
    })
  } else {
    await unlink(store, row)
    await store.update(identity, { agentId }).set({ owner })
  }
  if (owner !== zeroAddress) await append(store, agentId, owner)
}

/** Takes an identity out of its owner's chain. */
async function unlink(store: Store, row: typeof identity.$inferSelect): Promise<void> {
  if (row.owner === zeroAddress) return
  const { previousOwnedId: previous, nextOwnedId: next } = row
  if (previous !== null) await store.update(identity, { agentId: previous }).set({ nextOwnedId: next })
  else await store.update(agent, { address: row.owner }).set({ agentId: next })
  if (next !== null) await store.update(identity, { agentId: next }).set({ previousOwnedId: previous })
  else await store.update(agent, { address: row.owner }).set({ lastAgentId: previous })
}

/** Puts an identity at the end of an owner's chain. */
async function append(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const { agentId: first, lastAgentId: last } = await ensureAgent(store, owner)
  await store.update(identity, { agentId }).set({ previousOwnedId: last, nextOwnedId: null })
  if (last !== null) await store.update(identity, { agentId: last }).set({ nextOwnedId: agentId })
  await store.update(agent, { address: owner }).set({ agentId: first ?? agentId, lastAgentId: agentId })
}
