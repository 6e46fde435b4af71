import type { Address, Hex } from 'viem'
import { toAgentSkillId } from '../../protocol/rules/row-ids.ts'
import { agentSkill } from '../schema/agent.ts'
import type { Store } from './store.ts'

/** Adds an awarded task to the worker's count for each tag of the task. A repeated tag counts once. */
export async function countSkills(store: Store, worker: Address, tagHashes: readonly Hex[]): Promise<void> {
  for (const tagHash of new Set(tagHashes)) {
    await store
      .insert(agentSkill)
      .values({ id: toAgentSkillId(worker, tagHash), worker, tagHash, taskCount: 1 })
      .onConflictDoUpdate(({ taskCount }) => ({ taskCount: taskCount + 1 }))
  }
}
