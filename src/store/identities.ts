import type { Address } from 'viem'
import { listIdGrams } from '../../protocol/rules/agent-rank.ts'
import { identity, identityFormerClaim } from '../schema/agent.ts'
import { ensureAgent, updateAgent } from './agents.ts'
import type { Store } from './store.ts'

type IdentityRow = typeof identity.$inferSelect

/**
 * Makes `owner` the owner of an identity. It joins the owner's chain only when the owner claimed it before, even if another
 * account claimed it since: an identity that is sent to an account does not become its agent. The registry is not ours: an
 * identity may be new here at any event, and an event may say what is known already. Nothing here throws.
 */
export async function setIdentityOwner(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const row = await store.find(identity, { agentId })
  if (row === null) await insertIdentity(store, agentId, { owner, claimedBy: null })
  else if (row.owner !== owner) {
    const former = await store.find(identityFormerClaim, { id: claimKeyOf(agentId, owner) })
    await moveIdentity(store, row, former === null ? { owner } : { owner, claimedBy: owner })
  }
}

/**
 * Records that an account registered an identity for itself. An identity that is unknown here belongs to that account:
 * the transfer that minted it came first, or is not told.
 */
export async function claimIdentity(store: Store, agentId: bigint, claimedBy: Address): Promise<void> {
  const row = await store.find(identity, { agentId })
  if (row === null) await insertIdentity(store, agentId, { owner: claimedBy, claimedBy })
  else if (row.claimedBy !== claimedBy) await moveIdentity(store, row, { claimedBy })
}

/** Records an adoption: of all claimed identities of its owner this one becomes the owner's agent. */
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
 * Changes owner or claim: the identity leaves one chain, and joins another where both are the same account. A claim that
 * another one takes the place of is kept.
 */
async function moveIdentity(
  store: Store,
  row: IdentityRow,
  change: Partial<{ owner: Address; claimedBy: Address }>,
): Promise<void> {
  const { agentId, claimedBy } = row
  if (claimedBy !== null && change.claimedBy !== undefined && change.claimedBy !== claimedBy) {
    const former = { id: claimKeyOf(agentId, claimedBy), agentId, account: claimedBy }
    await store.insert(identityFormerClaim).values(former).onConflictDoNothing()
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

/** Takes an identity out of its owner's chain. */
async function unlink(store: Store, row: IdentityRow): Promise<void> {
  const { previousOwnedId: previous, nextOwnedId: next } = row
  if (previous !== null) await store.update(identity, { agentId: previous }).set({ nextOwnedId: next })
  else await updateAgent(store, row.owner, () => ({ agentId: next }))
  if (next !== null) await store.update(identity, { agentId: next }).set({ previousOwnedId: previous })
  else await updateAgent(store, row.owner, () => ({ lastAgentId: previous }))
  await store.update(identity, { agentId: row.agentId }).set({ previousOwnedId: null, nextOwnedId: null })
}

/** Puts an identity at the end of an owner's chain. */
async function append(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const { agentId: first, lastAgentId: last } = await ensureAgent(store, owner)
  await store.update(identity, { agentId }).set({ previousOwnedId: last, nextOwnedId: null })
  if (last !== null) await store.update(identity, { agentId: last }).set({ nextOwnedId: agentId })
  await updateAgent(store, owner, () => ({ agentId: first ?? agentId, lastAgentId: agentId }))
}

/** Puts an identity at the start of an owner's chain. */
async function prepend(store: Store, agentId: bigint, owner: Address): Promise<void> {
  const { agentId: first, lastAgentId: last } = await ensureAgent(store, owner)
  await store.update(identity, { agentId }).set({ previousOwnedId: null, nextOwnedId: first })
  if (first !== null) await store.update(identity, { agentId: first }).set({ previousOwnedId: agentId })
  await updateAgent(store, owner, () => ({ agentId, lastAgentId: last ?? agentId }))
}
