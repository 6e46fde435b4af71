import { z } from 'zod'
import { documentOfRating, rateWorker as entry } from '../../../protocol/operations/rate-worker.ts'
import { toRatingId } from '../../../protocol/rules/row-ids.ts'
import { type Clocks, judgeMoment, moments } from '../../../protocol/windows.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import { addressText, bytes32Text, documentSaltText, momentText, visibleText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { listAgentIds } from '../../read-model/agent-ids.queries.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { feedbackBaseOf } from '../feedback-base.ts'

const MAX_RATING = 100
/** The control characters that a feedback text must not contain. Tabs and line ends are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

const bodySchema = z.object({
  taskId: bytes32Text.optional(),
  worker: addressText,
  rating: z.int().min(0).max(MAX_RATING),
  feedbackText: visibleText(0, 500)
    .refine((text) => !CONTROLS.test(text), { error: 'must be text without control characters' })
    .optional(),
  documentSalt: documentSaltText.optional(),
  createdAt: momentText.optional().meta({
    description:
      `Time in the feedback file, hashed as it is sent: within ${moments.createdAt.back} seconds of the newest block or of ` +
      'the clock of the service. The service takes the time of the newest block unless given.',
  }),
})

/**
 * Rates a worker who received an award.
 *
 * Example: `POST /api/tasks/0x9f0d../rate` with `{"taskId": "0x9f0d..", "worker": "0x14dC..", "rating": 95,
 * "feedbackText": "Complete, and a.."}` answers `{"success": true, "feedbackId": "0xe0fa.."}`.
 */
export const rateWorker = defineWrite(entry, {
  body: bodySchema,
  response: z.object({ success: z.boolean(), feedbackId: hashOut }),
  load: async ({ sql, config }, { taskId, worker }) => {
    const task = await loadTaskSnapshot(sql, taskId)
    if (task === null) return null
    const agentIds = await listAgentIds(sql, [task.requester, worker])
    return { task, agentIds, feedbackBase: feedbackBaseOf(config) }
  },
  facts: {
    raterAgentId: ({ task, agentIds }) => agentIds.get(task.requester) ?? null,
    workerAgentId: ({ agentIds }, { worker }) => agentIds.get(worker) ?? null,
    feedbackBase: ({ feedbackBase }) => feedbackBase,
  },
  preflight: ({ task }, { worker, createdAt }, { actor, now, clocks }) =>
    refuseUntimely(createdAt, clocks) ?? admit('rate', task, { actor, now, args: { worker } }),
  content: async ({ deployment }, { agentIds }, rating, { actor }) => {
    const { taskId, worker, feedbackText = '' } = rating
    const facts = { workerAgentId: agentIds.get(worker) ?? null }
    const { text: body, hash: feedbackHash } = documentOfRating(rating, { facts, deployment, actor })
    return { content: { feedback: { taskId, worker, feedbackHash, body, feedbackText } } }
  },
  result: (minedWrite) => {
    const { taskId, worker } = getMarketEvent(minedWrite, 'TaskRated')
    return { body: { success: true, feedbackId: toRatingId(taskId, worker) } }
  },
})

/** Refuses a `createdAt` that is too far from the present time. The feedback file contains the `createdAt`. */
function refuseUntimely(createdAt: string, clocks: Clocks): Refusal | null {
  const moment = BigInt(Math.floor(Date.parse(createdAt) / 1000))
  const problem = judgeMoment(moments.createdAt, moment, { clocks, field: 'createdAt (Unix time)' })
  return problem && refuse(400, problem.detail, problem.message, { field: 'createdAt' })
}
