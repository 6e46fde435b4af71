import type { Address } from 'viem'
import { toRequesterWorkerId } from '../rules/row-ids.ts'
import { agent, requesterWorker } from '../schema/agent.ts'
import type { Store } from './store.ts'

export type AgentRow = typeof agent.$inferSelect

/** Changes an address's counters, creating its row at its first appearance. */
export async function updateAgent(
  store: Store,
  address: Address,
  change: (row: AgentRow) => Partial<Omit<AgentRow, 'address'>>,
): Promise<void> {
  const row = await ensureAgent(store, address)
  await store.update(agent, { address }).set(change(row))
}

/** The row of an address, created when there is none. */
export async function ensureAgent(store: Store, address: Address): Promise<AgentRow> {
  return (await store.find(agent, { address })) ?? store.insert(agent).values(newAgent(address))
}

/** Remembers that a worker submitted to a requester; true at the first time. */
export async function rememberWorker(store: Store, requester: Address, worker: Address): Promise<boolean> {
  const id = toRequesterWorkerId(requester, worker)
  if ((await store.find(requesterWorker, { id })) !== null) return false
  await store.insert(requesterWorker).values({ id, requester, worker, awarded: false })
  return true
}

/** Remembers that a requester awarded a worker, who submitted to it before; true at the first time. */
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
