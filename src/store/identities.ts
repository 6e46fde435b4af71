import type { Address } from 'viem'
import { listIdGrams } from '../../protocol/rules/agent-rank.ts'
import { identity, identityFormerClaim } from '../schema/agent.ts'
import { ensureAgent, updateAgent } from './agents.ts'
import type { Store } from './store.ts'

type IdentityRow = typeof identity.$inferSelect

/**
 * Stores the new owner of an identity. If the new owner has claimed the identity before, the claim is restored.
 * Otherwise the identity does not become the new owner's agent. An unknown identity or a repeated event is no error.
 */
export async function setIdentityOwner(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const row = await store.find(identity, { agentId })
  if (row === null) await insertIdentity(store, agentId, { owner, claimedBy: null })
  else if (row.owner !== owner) {
    const formerClaim = await store.find(identityFormerClaim, { id: claimKeyOf(agentId, owner) })
    await moveIdentity(store, row, formerClaim === null ? { owner } : { owner, claimedBy: owner })
  }
}

/**
 * Stores that an account registered an identity. If the identity has no row yet, the account is also stored as the
 * owner.
 */
export async function claimIdentity(store: Store, agentId: bigint, claimedBy: Address): Promise<void> {
  const row = await store.find(identity, { agentId })
  if (row === null) await insertIdentity(store, agentId, { owner: claimedBy, claimedBy })
  else if (row.claimedBy !== claimedBy) await moveIdentity(store, row, { claimedBy })
}

/**
 * Stores that an owner adopted an identity. The identity becomes the first in the owner's list of claimed identities,
 * and therefore the owner's agent.
 */
export async function adoptIdentity(store: Store, agentId: bigint, owner: Address): Promise<void> {
  await claimIdentity(store, agentId, owner)
  const row = await store.find(identity, { agentId })
  if (row === null || row.owner !== owner) return
  await unlink(store, row)
  await prepend(store, agentId, owner)
}

async function insertIdentity(
  store: Store,
  agentId: bigint,
  { owner, claimedBy }: { owner: Address; claimedBy: Address | null },
): Promise<void> {
  await store.insert(identity).values({
    agentId,
    idGrams: listIdGrams(String(agentId)),
    owner,
    claimedBy,
    registeredAt: null,
    previousOwnedId: null,
    nextOwnedId: null,
  })
  if (owner === claimedBy) await append(store, agentId, owner)
}

/**
 * Changes the owner or the claim of an identity, and updates the lists of the identities that accounts own and have
 * claimed. First removes the identity from its present list. If the owner after the change is also the account with the
 * claim, appends the identity to the owner's list. If the change replaces a claim, stores the replaced claim as a
 * former claim.
 */
async function moveIdentity(
  store: Store,
  row: IdentityRow,
  change: Partial<{ owner: Address; claimedBy: Address }>,
): Promise<void> {
  const { agentId, claimedBy } = row
  if (claimedBy !== null && change.claimedBy !== undefined && change.claimedBy !== claimedBy) {
    const formerClaim = { id: claimKeyOf(agentId, claimedBy), agentId, account: claimedBy }
    await store.insert(identityFormerClaim).values(formerClaim).onConflictDoNothing()
  }
  if (isChained(row)) await unlink(store, row)
  const next = { ...row, ...change }
  await store.update(identity, { agentId }).set(change)
  if (isChained(next)) await append(store, agentId, next.owner)
}

function claimKeyOf(agentId: bigint, account: Address): string {
  return `${agentId}:${account}`
}

function isChained({ owner, claimedBy }: Pick<IdentityRow, 'owner' | 'claimedBy'>): boolean {
  return owner === claimedBy
}

/** Removes an identity from its owner's list of claimed identities. */
async function unlink(store: Store, row: IdentityRow): Promise<void> {
  const { previousOwnedId: previousId, nextOwnedId: nextId } = row
  if (previousId !== null) await store.update(identity, { agentId: previousId }).set({ nextOwnedId: nextId })
  else await updateAgent(store, row.owner, () => ({ agentId: nextId }))
  if (nextId !== null) await store.update(identity, { agentId: nextId }).set({ previousOwnedId: previousId })
  else await updateAgent(store, row.owner, () => ({ lastAgentId: previousId }))
  await store.update(identity, { agentId: row.agentId }).set({ previousOwnedId: null, nextOwnedId: null })
}

/** Appends an identity to its owner's list of claimed identities. */
async function append(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const { agentId: first, lastAgentId: last } = await ensureAgent(store, owner)
  await store.update(identity, { agentId }).set({ previousOwnedId: last, nextOwnedId: null })
  if (last !== null) await store.update(identity, { agentId: last }).set({ nextOwnedId: agentId })
  await updateAgent(store, owner, () => ({ agentId: first ?? agentId, lastAgentId: agentId }))
}

/** Inserts an identity at the start of its owner's list of claimed identities. */
async function prepend(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const { agentId: first, lastAgentId: last } = await ensureAgent(store, owner)
  await store.update(identity, { agentId }).set({ previousOwnedId: null, nextOwnedId: first })
  if (first !== null) await store.update(identity, { agentId: first }).set({ previousOwnedId: agentId })
  await updateAgent(store, owner, () => ({ agentId, lastAgentId: last ?? agentId }))
}
