import type { Address } from 'viem'
import { isRanked, toReputation } from '../../protocol/rules/agent-rank.ts'
import { toRequesterWorkerId } from '../../protocol/rules/row-ids.ts'
import { agent, requesterWorker } from '../schema/agent.ts'
import { updateMarketStats } from './market.ts'
import type { Store } from './store.ts'

export type AgentRow = typeof agent.$inferSelect

/** The columns of `agent` that are computed from the other columns of the row. */
type Derived = 'reputation' | 'ranked'

/**
 * Changes columns of an address's row. Then computes `reputation` and `ranked` from the changed row, and updates the
 * market's number of ranked agents. If the address has no row, creates the row.
 */
export async function updateAgent(
  store: Store,
  address: Address,
  change: (row: AgentRow) => Partial<Omit<AgentRow, 'address' | Derived>>,
): Promise<void> {
  const storedRow = await store.find(agent, { address })
  const row = storedRow ?? newAgent(address)
  const changedFields = change(row)
  const next = { ...row, ...changedFields }
  const hasRank = isRanked(next)
  const derivedFields = { reputation: toReputation(next), ranked: hasRank }
  if (storedRow === null) await store.insert(agent).values({ ...next, ...derivedFields })
  else await store.update(agent, { address }).set({ ...changedFields, ...derivedFields })
  if (hasRank === row.ranked) return
  await updateMarketStats(store, ({ agentCount }) => ({ agentCount: agentCount + (hasRank ? 1 : -1) }))
}

/** Returns the row of an address. Creates the row if the address has none. */
export async function ensureAgent(store: Store, address: Address): Promise<AgentRow> {
  return (await store.find(agent, { address })) ?? store.insert(agent).values(newAgent(address))
}

/**
 * Stores that a worker submitted to a task of a requester. Returns true for the worker's first submission to any task
 * of the requester.
 */
export async function rememberWorker(store: Store, requester: Address, worker: Address): Promise<boolean> {
  const id = toRequesterWorkerId(requester, worker)
  if ((await store.find(requesterWorker, { id })) !== null) return false
  await store.insert(requesterWorker).values({ id, requester, worker, awarded: false })
  return true
}

/**
 * Stores that a requester awarded a worker. Returns true for the requester's first award to the worker.
 * @throws if the worker never submitted to the requester
 */
export async function rememberAward(store: Store, requester: Address, worker: Address): Promise<boolean> {
  const id = toRequesterWorkerId(requester, worker)
  const row = await store.find(requesterWorker, { id })
  if (row === null) throw new Error(`${worker} was awarded by ${requester} without a submission`)
  if (row.awarded) return false
  await store.update(requesterWorker, { id }).set({ awarded: true })
  return true
}

function newAgent(address: Address): AgentRow {
  return {
    address,
    reputation: toReputation({ totalStars: 0, ratedTasks: 0 }),
    ranked: false,
    agentId: null,
    lastAgentId: null,
    completedTasks: 0,
    distinctRequesters: 0,
    ratedTasks: 0,
    ratedVolume: 0n,
    totalStars: 0,
    totalEarnings: 0n,
    tasksCreated: 0,
    tasksCompleted: 0,
    selfAwards: 0,
    cancelledAfterSubmissions: 0,
    expiredNoAction: 0,
    expiredAfterRejections: 0,
    staleTasks: 0,
    undeliveredAuctions: 0,
    submissionAttempts: 0,
    uniqueWorkers: 0,
  }
}
