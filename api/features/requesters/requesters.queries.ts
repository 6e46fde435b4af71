import type { Address } from 'viem'
import { keepingPlans, type Queryable } from '../../db/client.ts'

/** The indexer's record of an account as a requester: counts of tasks, submissions and workers. */
export interface RequesterRecord {
  tasksCreated: number
  tasksCompleted: number
  selfAwards: number
  cancelledAfterSubmissions: number
  expiredNoAction: number
  expiredAfterRejections: number
  staleTasks: number
  undeliveredAuctions: number
  submissionAttempts: number
  uniqueWorkers: number
}

/** Returns the record of an account as a requester, or null if the indexer has no record of the account. */
export async function findRequesterRecord(sql: Queryable, address: Address): Promise<RequesterRecord | null> {
  const rows = await keepingPlans(sql)<RequesterRecord[]>`
    select tasks_created, tasks_completed, self_awards, cancelled_after_submissions, expired_no_action,
      expired_after_rejections, stale_tasks, undelivered_auctions, submission_attempts, unique_workers
    from agent where address = ${address}`
  return rows[0] ?? null
}
