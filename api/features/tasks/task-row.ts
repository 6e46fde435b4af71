import type { Address, Hex } from 'viem'
import type { Verdict } from '../../../src/rules/verdict.ts'
import type { Queryable } from '../../db/client.ts'
import { createdContent, taskAccess } from '../../db/task-access.ts'
import type { Task } from './tasks.schemas.ts'

/**
 * One task as the read model and the content store hold it together. Amounts are base units, times Unix seconds.
 * The content columns are null for a task that was made by a direct chain call.
 */
export interface TaskRow {
  id: Hex
  referenceCode: string
  requester: Address
  mode: Task['mode']
  status: Task['status']
  reward: bigint
  platformFeeBps: number
  stakeBps: number
  tagHashes: Hex[]
  hookSet: Hex | null
  createdAtMs: bigint
  createdAt: bigint
  expiryTime: bigint
  pitchDeadline: bigint | null
  bidDeadline: bigint | null
  auctionType: Task['auctionType']
  clockPrice: bigint | null
  worker: Address | null
  workerAssignedAt: bigint | null
  price: bigint | null
  submissionCount: number
  activeSubmissionCount: number
  pitchCount: number
  bidderCount: number
  awardCount: number
  primaryWorker: Address | null
  selfAward: boolean | null
  claimRound: number
  transactionHash: Hex
  description: string | null
  tags: string[] | null
  /** Both of its creation; null for a task without content then. */
  taskVisibility: Task['taskVisibility'] | null
  submissionVisibility: Task['submissionVisibility'] | null
  hasAccessPassword: boolean
  metricDescription: string | null
  metricTarget: string | null
  /** ERC-8004 ids; null: a human. */
  requesterAgentId: bigint | null
  /** Of the assigned worker, else of the rank-1 award's. */
  workerAgentId: bigint | null
  primaryRating: number | null
  /** Who decides instead of the requester; null: nobody, or he let his time pass. */
  evaluator: Address | null
  disputeResolver: Address | null
  evaluatorDeadline: bigint | null
  appealDeadline: bigint | null
  lowestBid: bigint | null
  /** The evaluation's terms and verdict, basis points and seconds; null without one. */
  evaluatorFeeBps: number | null
  evaluationWindow: bigint | null
  appealWindow: bigint | null
  verdict: Verdict | null
  verdictScore: number | null
  verdictConfidence: number | null
  verdictEvidenceHash: Hex | null
  /** In the order they are called, the market's defaults first; null without hooks. */
  hooks: Address[] | null
  defaultHookCount: number | null
  /** The drop it was created in; null: none. */
  dropId: string | null
  dropName: string | null
}

/** The columns of a `TaskRow`, from the tables of `taskTables`. */
export function taskColumns(sql: Queryable) {
  return sql`
    t.id, t.reference_code, t.requester, t.mode, t.status, t.reward, t.platform_fee_bps, t.stake_bps,
    t.tag_hashes, t.hook_set, t.created_at_ms, t.created_at, t.expiry_time, t.pitch_deadline, t.bid_deadline,
    t.auction_type, t.clock_price, t.worker, t.worker_assigned_at, t.price, t.submission_count,
    t.active_submission_count, t.pitch_count, t.bidder_count, t.award_count, t.primary_worker, t.self_award, t.claim_round, t.transaction_hash,
    c.description, c.tags, c.metric_description, c.metric_target, created.task_visibility,
    created.submission_visibility, access.password_hash is not null as has_access_password,
    requester_agent.agent_id as requester_agent_id, worker_agent.agent_id as worker_agent_id,
    primary_award.rating as primary_rating,
    t.evaluator, t.dispute_resolver, t.evaluator_deadline, t.appeal_deadline, t.lowest_bid,
    judged.fee_bps as evaluator_fee_bps, judged.evaluation_window, judged.appeal_window, judged.verdict,
    judged.score as verdict_score, judged.confidence as verdict_confidence,
    judged.evidence_hash as verdict_evidence_hash, hook_set.hooks, hook_set.default_count as default_hook_count,
    task_drop.id as drop_id, task_drop.name as drop_name`
}

/** A task with its content, the identities of both sides, its first award and its drop: each joined by a key. */
export function taskTables(sql: Queryable) {
  return sql`
    task t
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    ${createdContent(sql)}
    ${taskAccess(sql)}
    left join agent requester_agent on requester_agent.address = t.requester
    left join agent worker_agent on worker_agent.address = coalesce(t.worker, t.primary_worker)
    left join award primary_award on primary_award.task_id = t.id and primary_award.rank = 1
    left join evaluation judged on judged.task_id = t.id and judged.timed_out_at is null
    left join hook_set on hook_set.id = t.hook_set
    left join service.task_drop_members member
      on member.requester = t.requester and member.created_content_hash = t.created_content_hash
    left join service.task_drops task_drop on task_drop.id = member.drop_id`
}
