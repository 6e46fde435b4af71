import type { Address } from 'viem'
import { agent } from '../schema/agent.ts'
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

function newAgent(address: Address): AgentRow {
  return {
    address,
    agentId: null,
    lastAgentId: null,
    completedTasks: 0,
    ratedTasks: 0,
    totalStars: 0,
    totalEarnings: 0n,
    tasksCreated: 0,
    tasksCompleted: 0,
    selfAwards: 0,
    cancelledAfterSubmissions: 0,
    expiredNoAction: 0,
    expiredAfterRejections: 0,
    submissionAttempts: 0,
    submitterPairs: 0,
  }
}
