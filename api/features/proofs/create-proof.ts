import type { Hex } from 'viem'
import { z } from 'zod'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import type { InputOf } from '../../../protocol/operation.ts'
import { createProof as entry } from '../../../protocol/operations/create-proof.ts'
import { proofTypes } from '../../../protocol/rules/proof-type.ts'
import { toProofId } from '../../../protocol/rules/row-ids.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { refuseRepeated } from '../../domain/actions/submit-proof.ts'
import { refuseBeyondCeiling } from '../../domain/submission-allowance.ts'
import { addressText, bytes32Text, unverifiedSignature, visibleText, wholeText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { countSubmissions, lockSubmissions } from '../../read-model/submission-count.queries.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { isProofCommitted } from './proofs.queries.ts'

const MAX_PROOF_LENGTH = 10_000
const MAX_METRIC_DIGITS = 200

const bodySchema = z.object({
  taskId: bytes32Text.optional(),
  workerAddress: addressText.meta({ description: 'Must be the payer.' }),
  proofData: visibleText(1, MAX_PROOF_LENGTH),
  proofType: z.enum(proofTypes),
  metricValue: wholeText(MAX_METRIC_DIGITS)
    .optional()
    .meta({ default: '0', description: 'What was measured; 0 unless given, at most 2^256 - 1.' }),
  signature: unverifiedSignature,
})

/**
 * Submits a proof to a benchmark. A proof is also a submission and counts towards the worker's limit of submissions.
 *
 * Example: `POST /api/tasks/0x5703../proofs` with `{"taskId": "0x5703..", "workerAddress": "0x14dC..", "proofData":
 * "https://example...", "proofType": "url", ..}` answers `{"success": true, "proofId": "0xb981..", "submissionId":
 * "0xb981.."}`.
 */
export const createProof = defineWrite(entry, {
  body: bodySchema,
  response: z.object({ success: z.boolean(), proofId: hashOut, submissionId: hashOut }),
  load: async ({ sql, config }, input) => {
    const { taskId, workerAddress } = input
    const [task, usedCount, isRepeated] = await Promise.all([
      loadTaskSnapshot(sql, taskId, [workerAddress]),
      countSubmissions(sql, taskId, workerAddress),
      isProofCommitted(sql, proofIdOf(input)),
    ])
    // The worker's submissions to the task including proofs, anchored or being relayed.
    return task && { task, used: usedCount.total, allowance: { ceiling: config.SUBMISSION_CEILING }, isRepeated }
  },
  facts: {},
  preflight: ({ task, used, allowance, isRepeated }, { workerAddress: worker }, { actor, now }) =>
    admit('submit_proof', task, { actor, now, args: { worker, isRepeated } }) ?? refuseBeyondCeiling(used, allowance),
  content: async (_deps, _subject, input) => {
    const { taskId, workerAddress: worker, proofData } = input
    return { content: { proof: { proofId: proofIdOf(input), taskId, worker, proofData } } }
  },
  guard: async (tx, { allowance }, input) => {
    const { taskId, workerAddress } = input
    await lockSubmissions(tx, taskId)
    const { total } = await countSubmissions(tx, taskId, workerAddress)
    return refuseBeyondCeiling(total, allowance) ?? refuseRepeated(await isProofCommitted(tx, proofIdOf(input)))
  },
  result: (minedWrite) => {
    const { taskId, worker, proofHash } = getMarketEvent(minedWrite, 'ProofSubmitted')
    const proofId = toProofId(taskId, { worker, proofHash })
    return { body: { success: true, proofId, submissionId: proofId } }
  },
})

/** Returns the id that the proof in a request will have. */
function proofIdOf({ taskId, workerAddress: worker, proofData }: InputOf<typeof entry>): Hex {
  const { hash: proofHash } = commitToText({ taskId, worker, text: proofData })
  return toProofId(taskId, { worker, proofHash })
}
