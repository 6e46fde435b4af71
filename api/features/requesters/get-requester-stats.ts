import type { Address } from 'viem'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { address } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { findRequesterRecord, type RequesterRecord } from './requesters.queries.ts'

const count = (description: string) => z.int().min(0).meta({ description })

/** The schema of a requester's record. See the interface specification, "Tasks": requester stats. */
const requesterStatsSchema = z
  .object({
    completedCount: count('Tasks ended by acceptance or by a verdict that paid a worker.'),
    selfAwardCount: count('Tasks in which the requester awarded itself.'),
    cancelledAfterSubmissionsCount: count('Tasks cancelled after work had been submitted, all of it rejected.'),
    expiredNoActionCount: count('Tasks refunded after the expiry, unassigned, without a submission.'),
    expiredAfterRejectionsCount: count('Tasks refunded after the expiry, all submissions to which were rejected.'),
    staleCount: count('Tasks settled by settleStale while a submission or a delivery waited for an answer.'),
    undeliveredAuctions: count('Auctions with a bid or an accepted price that expired without a delivery.'),
    totalTasksCreated: count('Tasks of every visibility.'),
    totalSubmissionAttempts: count('Submissions to its tasks, benchmark proofs among them.'),
    totalUniqueWorkers: count('Workers who submitted to its tasks, each counted once for all tasks.'),
  })
  .meta({ id: 'RequesterStats' })

/**
 * Returns the record of a requester. All counts are zero for an address that has created no task. See the interface
 * specification, "Tasks".
 *
 * Example: `GET /api/requesters/0x14dC../stats` answers `{"completedCount": 1, "selfAwardCount": 0,
 * "cancelledAfterSubmissionsCount": 0, "expiredNoActionCount": 0, ..}`.
 */
export const getRequesterStats = defineRoute({
  operationId: 'getRequesterStats',
  path: '/requesters/{address}/stats',
  ...statsRoute('Get the record of a requester'),
})

/**
 * Serves the same answer as `getRequesterStats` under another path.
 *
 * Example: `GET /api/requester/0x14dC../stats` answers `{"completedCount": 1, "selfAwardCount": 0,
 * "cancelledAfterSubmissionsCount": 0, "expiredNoActionCount": 0, ..}`.
 */
export const getRequesterStatsAlias = defineRoute({
  operationId: 'getRequesterStatsAlias',
  path: '/requester/{address}/stats',
  ...statsRoute('Get the record of a requester (another path)'),
})

function statsRoute(summary: string) {
  return {
    method: 'get',
    tag: 'requesters',
    summary,
    description: 'Counted from what the chain logged, over tasks of every visibility; zeros for an unknown address.',
    params: z.object({ address }),
    responses: { 200: { description: 'The record.', schema: requesterStatsSchema } },
    handler: async ({ sql }: Pick<Deps, 'sql'>, { params }: { params: { address: Address } }) =>
      toStats(await findRequesterRecord(sql, params.address)),
  } as const
}

function toStats(record: RequesterRecord | null): z.output<typeof requesterStatsSchema> {
  return {
    completedCount: record?.tasksCompleted ?? 0,
    selfAwardCount: record?.selfAwards ?? 0,
    cancelledAfterSubmissionsCount: record?.cancelledAfterSubmissions ?? 0,
    expiredNoActionCount: record?.expiredNoAction ?? 0,
    expiredAfterRejectionsCount: record?.expiredAfterRejections ?? 0,
    staleCount: record?.staleTasks ?? 0,
    undeliveredAuctions: record?.undeliveredAuctions ?? 0,
    totalTasksCreated: record?.tasksCreated ?? 0,
    totalSubmissionAttempts: record?.submissionAttempts ?? 0,
    totalUniqueWorkers: record?.uniqueWorkers ?? 0,
  }
}
