import type { Address, Hex } from 'viem'
import { keepingPlans, type Queryable } from '../../db/client.ts'

export interface FeedbackRow {
  id: Hex
  taskId: Hex
  worker: Address
  requester: Address
  rating: number
  ratedAt: bigint
  transactionHash: Hex
  /** The text of the rating, or null if the rating was made by a direct call of the contract. */
  feedbackText: string | null
  /** The ERC-8004 ids of worker and requester. An id is null if the account has none. */
  workerAgentId: bigint | null
  requesterAgentId: bigint | null
}

/** Lists the ratings of a task, oldest first. There are at most 50: one for each of the task's awards. */
export async function listFeedbacks(sql: Queryable, taskId: Hex): Promise<FeedbackRow[]> {
  return await keepingPlans(sql)<FeedbackRow[]>`
    select r.id, r.task_id, r.worker, r.requester, r.rating, r.rated_at, r.transaction_hash, content.feedback_text,
      w.agent_id as worker_agent_id, q.agent_id as requester_agent_id
    from rating r
    left join service.feedback_content content
      on content.task_id = r.task_id and content.worker = r.worker and content.feedback_hash = r.feedback_hash
    left join agent w on w.address = r.worker
    left join agent q on q.address = r.requester
    where r.task_id = ${taskId}
    order by r.rated_at, r.id`
}

/**
 * Returns a rating's feedback file and the id of the rated task. The hash of the file's bytes is on chain. Returns null
 * if the rating does not exist or the file is not stored here.
 */
export async function findFeedbackFile(sql: Queryable, feedbackId: Hex): Promise<{ taskId: Hex; body: string } | null> {
  const rows = await sql<{ taskId: Hex; body: string }[]>`
    select r.task_id, content.body
    from rating r
    join service.feedback_content content
      on content.task_id = r.task_id and content.worker = r.worker and content.feedback_hash = r.feedback_hash
    where r.id = ${feedbackId}`
  return rows[0] ?? null
}
