import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import type { WinnerArgs } from '../../domain/actions/accept-submissions.ts'
import { admit } from '../../domain/actions/admit.ts'
import { getLatestDeliverable } from '../../domain/deliverable.ts'
import { ACTION_FEE, MAX_WINNERS } from '../../domain/limits.ts'
import { address, basisPoints, bytes32 } from '../../http/request-schemas.ts'
import { listSubmissionFacts, loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

const winnerSchema = z.object({
  worker: address,
  share: basisPoints.meta({ description: 'Basis points of the reward.' }),
  submissionId: bytes32.optional().meta({ description: 'Pins a submission; else the latest of the worker.' }),
})

const bodySchema = z.object({
  taskId: bytes32.optional(),
  winners: z
    .array(winnerSchema)
    .min(1)
    .max(MAX_WINNERS)
    .meta({ description: 'By rank. The shares sum to exactly 10000; what the division leaves over goes to rank 1.' }),
})

/** Spec, "Lifecycle writes": accept-submissions; Interface, "Other rules" (split). */
export const acceptSubmissions = defineWrite({
  operation: 'tasks.acceptSubmissions',
  operationId: 'acceptSubmissions',
  summary: 'Split the reward among several workers',
  description: 'Paid, requester only; bounty and benchmark tasks. Possible after the expiry too.',
  path: '/tasks/{taskId}/accept-submissions',
  params: z.object({ taskId: bytes32 }),
  body: bodySchema,
  response: z.object({ success: z.boolean() }),
  load: async ({ sql }, { params, body: { winners } }) => {
    const pins = winners.flatMap(({ submissionId }) => submissionId ?? [])
    const [task, pinned] = await Promise.all([
      loadTaskSnapshot(
        sql,
        params.taskId,
        winners.map(({ worker }) => worker),
      ),
      listSubmissionFacts(sql, pins),
    ])
    if (task === null) return null
    return {
      task,
      winners: winners.map(
        ({ worker, share, submissionId }): WinnerArgs => ({
          worker,
          shareBps: share,
          ...(submissionId !== undefined && { pinned: pinned.get(submissionId) ?? null }),
        }),
      ),
    }
  },
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: ({ task, winners }, _input, { actor, now }) =>
    admit('accept_submissions', task, { actor, now, args: { winners } }),
  prepare: async ({ deployment }, { task, winners }) => {
    const awarded = winners.map(({ worker, shareBps, pinned }) => ({
      worker,
      shareBps,
      deliverable: pinned?.deliverable ?? getLatestDeliverable(task, worker),
    }))
    return {
      ...encodeMarketCall(deployment.market, 'acceptSubmissions', [task.id, awarded]),
      content: {},
      awards: winners.length,
    }
  },
  result: () => ({ body: { success: true } }),
})
