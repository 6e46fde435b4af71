import type { Address, Hex } from 'viem'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import type { Queryable } from '../../db/client.ts'
import { type TaskRewardRow, taskRewards } from '../../read-model/task-rewards.ts'
import { type SnapshotRow, snapshotColumns, snapshotTables } from '../../read-model/task-snapshot.queries.ts'
import { taskVersion, versionTables } from './task-version.ts'
import type { Task } from './tasks.schemas.ts'

/**
 * One task of the read model and the content store, with the facts that decide about its actions. Amounts are base
 * units, times Unix seconds. The content columns are null for a task of a direct chain call.
 */
export interface TaskRow extends SnapshotRow {
  mode: Task['mode']
  status: Task['status']
  auctionType: Task['auctionType']
  referenceCode: string
  createdAtMs: bigint
  workerAssignedAt: bigint | null
  bidderCount: number
  awardCount: number
  primaryWorker: Address | null
  selfAward: boolean | null
  transactionHash: Hex
  description: string | null
  tags: string[] | null
  /** The visibility at its creation; null for a task without content then. */
  submissionVisibility: Task['submissionVisibility'] | null
  hasAccessPassword: boolean
  metricDescription: string | null
  metricTarget: string | null
  /** The ERC-8004 ids; null: a human. */
  requesterAgentId: bigint | null
  /** The assigned worker's id, else that of the rank-1 award. */
  workerAgentId: bigint | null
  primaryRating: number | null
  /** The evaluator's verdict; null without one. */
  verdictScore: number | null
  verdictConfidence: number | null
  verdictEvidenceHash: Hex | null
  /** The resolution, its account and time; null without one. */
  resolution: Verdict | null
  resolvedBy: Address | null
  resolvedAt: bigint | null
  /** The requester's published key, 0x hex; null without one. */
  requesterPublicKey: Hex | null
  /** The hooks in the order of their calls, the market's defaults first; null without hooks. */
  hooks: Address[] | null
  defaultHookCount: number | null
  /** The drop of its creation; null: none. */
  dropId: string | null
  dropName: string | null
  /** The rewards of vaults besides the market's; null: none. */
  rewards: TaskRewardRow[] | null
  /** The version, which changes with the view of the task at the same time of the chain; see `taskVersion`. */
  version: string
}

/** Returns the columns of a `TaskRow`, from the tables of `taskTables`. */
export function taskColumns(sql: Queryable) {
  return sql`
    ${snapshotColumns(sql)},
    t.reference_code, t.created_at_ms, t.worker_assigned_at, t.bidder_count, t.award_count, t.primary_worker, t.self_award,
    t.transaction_hash,
    c.description, c.tags, c.metric_description, c.metric_target, created.submission_visibility,
    access.password_hash is not null as has_access_password,
    requester_agent.agent_id as requester_agent_id, worker_agent.agent_id as worker_agent_id,
    primary_award.rating as primary_rating,
    judged.score as verdict_score, judged.confidence as verdict_confidence,
    judged.evidence_hash as verdict_evidence_hash, judged.resolution, judged.resolved_at,
    judged.dispute_resolver as resolved_by, published.public_key as requester_public_key, hook_set.hooks, hook_set.default_count as default_hook_count,
    task_drop.id as drop_id, task_drop.name as drop_name, ${taskRewards(sql)} as rewards, ${taskVersion(sql)} as version`
}

/** Returns a task with its content, first award and hooks, and with `versionTables`, each joined by a key. */
export function taskTables(sql: Queryable) {
  return sql`
    ${snapshotTables(sql)}
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    left join award primary_award on primary_award.task_id = t.id and primary_award.rank = 1
    left join hook_set on hook_set.id = t.hook_set
    ${versionTables(sql)}
    left join service.task_drops task_drop on task_drop.id = member.drop_id`
}
