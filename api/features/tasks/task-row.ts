import type { Address, Hex } from 'viem'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import type { Queryable } from '../../db/client.ts'
import { type TaskRewardRow, taskRewards } from '../../read-model/task-rewards.ts'
import { type SnapshotRow, snapshotColumns, snapshotTables } from '../../read-model/task-snapshot.queries.ts'
import { taskVersion, versionTables } from './task-version.ts'
import type { Task } from './tasks.schemas.ts'

/**
 * A task from the read model and the content store, with the columns that decide which actions are possible. Amounts
 * are in base units of USDC, times in Unix seconds. The content columns are null if a direct call of the contract
 * created the task.
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
  /**
   * The visibility of submissions that was chosen when the task was created. Null if the service does not have the
   * content (the texts and settings) with which the task was created.
   */
  submissionVisibility: Task['submissionVisibility'] | null
  hasAccessPassword: boolean
  metricDescription: string | null
  metricTarget: string | null
  /** The requester's ERC-8004 id, or null if the requester has none. */
  requesterAgentId: bigint | null
  /**
   * The ERC-8004 id of the assigned worker. If no worker is assigned, the id of the worker with the rank-1 award. Null
   * if that worker has no id.
   */
  workerAgentId: bigint | null
  primaryRating: number | null
  /** The score of the evaluator's verdict, or null without a verdict. */
  verdictScore: number | null
  verdictConfidence: number | null
  verdictEvidenceHash: Hex | null
  /** The decision of the dispute resolver, or null if there is none. */
  resolution: Verdict | null
  resolvedBy: Address | null
  resolvedAt: bigint | null
  /** The key that the requester published, as 0x-prefixed hex, or null if the requester published none. */
  requesterPublicKey: Hex | null
  /**
   * The hooks in the order in which the market calls them. The market's default hooks are first. Null if the task has
   * no hooks.
   */
  hooks: Address[] | null
  defaultHookCount: number | null
  /** The id of the task drop to which the creation added the task, or null. */
  dropId: string | null
  dropName: string | null
  /** The rewards that vaults pay in addition to the task's escrowed reward. Null if no vault pays a reward. */
  rewards: TaskRewardRow[] | null
  /** The version of the task's public form, the form that every caller may see (`taskVersion`). */
  version: string
}

/** Returns the SQL columns of a `TaskRow`. They are read from the tables of `taskTables`. */
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

/**
 * Returns the SQL for the `from` clause of a statement about tasks: the task table `t`, joined with the tables of the
 * content, the rank-1 award, the hooks and the task drop, and with `versionTables`. Each join compares a unique key, so
 * each task remains one row.
 */
export function taskTables(sql: Queryable) {
  return sql`
    ${snapshotTables(sql)}
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    left join award primary_award on primary_award.task_id = t.id and primary_award.rank = 1
    left join hook_set on hook_set.id = t.hook_set
    ${versionTables(sql)}
    left join service.task_drops task_drop on task_drop.id = member.drop_id`
}
