import { z } from 'zod'
import { acceptSubmissions as entry } from '../../../protocol/operations/accept-submissions.ts'
import type { WinnerArgs } from '../../domain/actions/accept-submissions.ts'
import { admit } from '../../domain/actions/admit.ts'
import { getLatestDeliverable } from '../../domain/deliverable.ts'
import { MAX_WINNERS } from '../../domain/limits.ts'
import { addressText, basisPoints, bytes32Text } from '../../http/request-schemas.ts'
import { listSubmissionFacts, loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

const winnerSchema = z.object({
  worker: addressText,
  share: basisPoints.meta({ description: 'Basis points of the reward.' }),
  submissionId: bytes32Text.optional().meta({ description: 'Pins a submission; else the latest of the worker.' }),
})

const bodySchema = z.object({
  taskId: bytes32Text.optional(),
  winners: z
    .array(winnerSchema)
    .min(1)
    .max(MAX_WINNERS)
    .meta({ description: 'By rank. The shares sum to exactly 10000; what the division leaves over goes to rank 1.' }),
})

/**
 * Accepts the work of several workers and splits the reward among them.
 *
 * Example: `POST /api/tasks/0x31e2../accept-submissions` with `{"taskId": "0x31e2..", "winners": [{..}, ..]}` answers
 * `{"success": true}`.
 */
export const acceptSubmissions = defineWrite(entry, {
  body: bodySchema,
  response: z.object({ success: z.boolean() }),
  load: async ({ sql }, { taskId, winners }) => {
    const pins = winners.flatMap(({ submissionId }) => submissionId ?? [])
    const workers = winners.map(({ worker }) => worker)
    const [task, pinnedFacts] = await Promise.all([
      loadTaskSnapshot(sql, taskId, workers),
      listSubmissionFacts(sql, pins),
    ])
    if (task === null) return null
    return {
      task,
      winners: winners.map(
        ({ worker, share, submissionId }): WinnerArgs => ({
          worker,
          shareBps: share,
          ...(submissionId !== undefined && { pinned: pinnedFacts.get(submissionId) ?? null }),
        }),
      ),
    }
  },
  facts: {
    reward: ({ task }) => task.reward,
    deliverables: ({ task, winners }) =>
      winners.map(({ worker, pinned }) => pinned?.deliverable ?? getLatestDeliverable(task, worker)),
  },
  preflight: ({ task, winners }, _input, { actor, now }) =>
    admit('accept_submissions', task, { actor, now, args: { winners } }),
  result: () => ({ body: { success: true } }),
})
