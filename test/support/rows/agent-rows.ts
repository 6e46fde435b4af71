import { type Address, keccak256, toHex } from 'viem'
import type { Database } from '../../../api/db/client.ts'
import { isRanked, listIdGrams, toReputation } from '../../../protocol/rules/agent-rank.ts'
import { toAgentSkillId } from '../../../protocol/rules/row-ids.ts'
import { insertRow, START } from './insert-row.ts'

/** What an agent is known for; the other columns are zero or derived. */
interface AgentColumns {
  agentId?: bigint
  completedTasks?: number
  ratings?: number[]
  totalEarnings?: bigint
  distinctRequesters?: number
  ratedVolume?: bigint
  /** Tags, with the number of public tasks that it was awarded. */
  skills?: Record<string, number>
}

/** Agents and their identities. */
export function agentRows(sql: Database) {
  return {
    /** The record of an address; `agentId` makes it an agent. */
    async agent(address: Address, columns: AgentColumns = {}) {
      const ratings = columns.ratings ?? []
      const counted = {
        agentId: columns.agentId ?? null,
        completedTasks: columns.completedTasks ?? 0,
        ratedTasks: ratings.length,
        totalStars: ratings.reduce((sum, rating) => sum + rating, 0),
      }
      await insertRow(sql, 'agent', {
        address,
        ...counted,
        reputation: String(toReputation(counted)),
        ranked: isRanked(counted),
        lastAgentId: counted.agentId,
        distinctRequesters: columns.distinctRequesters ?? 0,
        ratedVolume: columns.ratedVolume ?? 0n,
        totalEarnings: columns.totalEarnings ?? 0n,
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
      })
      for (const [tag, taskCount] of Object.entries(columns.skills ?? {})) {
        const tagHash = keccak256(toHex(tag))
        const id = toAgentSkillId(address, tagHash)
        await insertRow(sql, 'agentSkill', { id, worker: address, tagHash, taskCount })
      }
    },

    /** An ERC-8004 identity that its owner registered. */
    async identity(agentId: bigint, owner: Address, claimedBy: Address | null = owner) {
      await sql`
        insert into identity (agent_id, id_grams, owner, registered_at, claimed_by)
        values (${agentId}, ${listIdGrams(String(agentId))}::text[], ${owner}, ${START}, ${claimedBy})`
    },
  }
}
