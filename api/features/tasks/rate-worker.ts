import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import { z } from 'zod'
import { toFeedbackDocument } from '../../../protocol/documents/feedback-document.ts'
import { toRatingId } from '../../../protocol/rules/row-ids.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import type { TaskSnapshot } from '../../domain/task-snapshot.ts'
import { address, bytes32, visibleText } from '../../http/request-schemas.ts'
import { hashOut, toTimestamp } from '../../http/response-schemas.ts'
import { FEEDBACK_GAS } from '../../intents/hook-gas.ts'
import { listAgentIds } from '../../read-model/agent-ids.queries.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'

const MAX_RATING = 100
/**
 * Control characters but tab and line ends. The feedback file is served byte for byte, and canonical JSON leaves
 * U+0080 to U+009F as they are, which terminals obey.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

const bodySchema = z.object({
  taskId: bytes32.optional(),
  worker: address,
  rating: z.int().min(0).max(MAX_RATING),
  feedbackText: visibleText(0, 500)
    .refine((text) => !CONTROLS.test(text), { error: 'must be text without control characters' })
    .optional(),
})

/** Spec, "Lifecycle writes": rate. */
export const rateWorker = defineWrite({
  operation: 'tasks.rate',
  operationId: 'rateWorker',
  summary: 'Rate a worker who received an award',
  description:
    'Paid, requester only, once for each award of a completed task. The text goes into a hashed feedback file.',
  path: '/tasks/{taskId}/rate',
  params: z.object({ taskId: bytes32 }),
  body: bodySchema,
  response: z.object({ success: z.boolean(), feedbackId: hashOut }),
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: (task, { body }, { actor, now }) => admit('rate', task, { actor, now, args: { worker: body.worker } }),
  prepare: prepareRating,
  result: (mined) => {
    const { taskId, worker } = getMarketEvent(mined, 'TaskRated')
    return { body: { success: true, feedbackId: toRatingId(taskId, worker) } }
  },
})

async function prepareRating(deps: WriteDeps, task: TaskSnapshot, { body }: { body: z.output<typeof bodySchema> }) {
  const { chainId, market, identityRegistry } = deps.deployment
  const { worker, rating, feedbackText = '' } = body
  const [agentIds, head] = await Promise.all([listAgentIds(deps.sql, [task.requester, worker]), deps.chain.head()])
  const workerAgentId = agentIds.get(worker) ?? null
  const createdAt = toTimestamp(head.timestamp)
  const { requester, id: taskId } = task
  const { text, hash: feedbackHash } = toFeedbackDocument(
    { chainId, identityRegistry, taskId, requester, worker, workerAgentId, rating, feedbackText, createdAt },
    toHex(randomBytes(32)),
  )
  const params = {
    taskId,
    worker,
    rating,
    raterAgentId: agentIds.get(requester) ?? 0n,
    workerAgentId: workerAgentId ?? 0n,
    hasAgent: workerAgentId !== null,
    feedbackURI: `${deps.config.PUBLIC_BASE_URL}/api/feedback/${toRatingId(taskId, worker)}`,
    feedbackHash,
  }
  return {
    ...encodeMarketCall(market, 'rateTask', [params]),
    ...(workerAgentId !== null && { registryGas: FEEDBACK_GAS }),
    content: { feedback: { taskId, worker, feedbackHash, body: text, feedbackText } },
  }
}
