import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { proofTypes, toProofTypeHash } from '../../../protocol/rules/proof-type.ts'
import { toProofId } from '../../../protocol/rules/row-ids.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { refuseRepeated } from '../../domain/actions/submit-proof.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { refuseBeyondCeiling, type SubmissionCeiling } from '../../domain/submission-allowance.ts'
import type { TaskSnapshot } from '../../domain/task-snapshot.ts'
import { address, bytes32, unverifiedSignature, visibleText, wholeNumber } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { countSubmissions, lockSubmissions } from '../../read-model/submission-count.queries.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite, type WriteInput } from '../../writes/define-write.ts'
import { isProofCommitted } from './proofs.queries.ts'

const MAX_PROOF_LENGTH = 10_000
const MAX_METRIC_DIGITS = 200

const bodySchema = z.object({
  taskId: bytes32.optional(),
  workerAddress: address.meta({ description: 'Must be the payer.' }),
  proofData: visibleText(1, MAX_PROOF_LENGTH),
  proofType: z.enum(proofTypes),
  metricValue: wholeNumber(MAX_METRIC_DIGITS)
    .prefault('0')
    .meta({ description: 'What was measured; 0 unless given, at most 2^256 - 1.' }),
  signature: unverifiedSignature,
})

type Input = WriteInput<{ taskId: Hex }, z.output<typeof bodySchema>>

interface Subject {
  task: TaskSnapshot
  /** Submissions of the worker to the task, proofs among them, anchored or under way. */
  used: number
  allowance: SubmissionCeiling
  isRepeated: boolean
}

/** Spec, "Claim, pitches, bids, proofs". A proof is a submission, too, and counts to the ceiling of these. */
export const createProof = defineWrite({
  operation: 'proofs.create',
  operationId: 'createProof',
  summary: 'Submit a proof to a benchmark',
  description:
    'Paid by the worker. Anchors keccak256 of abi.encode(taskId, workerAddress, proofData), which is listed as a ' +
    'submission without artifacts, too; the same data can be submitted once. It uses up no free submission, but ' +
    'counts to the ceiling that `/health` reports.',
  path: '/tasks/{taskId}/proofs',
  params: z.object({ taskId: bytes32 }),
  body: bodySchema,
  response: z.object({ success: z.boolean(), proofId: hashOut, submissionId: hashOut }),
  load: async ({ sql, config }, { params, body }) => {
    const [task, used, isRepeated] = await Promise.all([
      loadTaskSnapshot(sql, params.taskId, [body.workerAddress]),
      countSubmissions(sql, params.taskId, body.workerAddress),
      isProofCommitted(sql, commit({ params, body }).proofId),
    ])
    const allowance = { ceiling: config.SUBMISSION_CEILING }
    return task && { task, used: used.total, allowance, isRepeated }
  },
  modes: ['paid'],
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: ({ task, used, allowance, isRepeated }, { body }, { actor, now }) =>
    admit('submit_proof', task, { actor, now, args: { worker: body.workerAddress, isRepeated } }) ??
    refuseBeyondCeiling(used, allowance),
  prepare: async ({ deployment }, { task: { id: taskId } }, input, worker) => {
    const { proofData, proofType, metricValue } = input.body
    const { proofId, proofHash } = commit(input)
    const args = [taskId, proofHash, toProofTypeHash(proofType), metricValue] as const
    return {
      ...encodeMarketCall(deployment.market, 'submitProof', args),
      content: { proof: { proofId, taskId, worker, proofData } },
    }
  },
  guard: async (tx, { task, allowance }: Subject, input) => {
    const { body } = input
    await lockSubmissions(tx, task.id)
    const { total } = await countSubmissions(tx, task.id, body.workerAddress)
    return refuseBeyondCeiling(total, allowance) ?? refuseRepeated(await isProofCommitted(tx, commit(input).proofId))
  },
  result: (mined) => {
    const { taskId, worker, proofHash } = getMarketEvent(mined, 'ProofSubmitted')
    const proofId = toProofId(taskId, { worker, proofHash })
    return { body: { success: true, proofId, submissionId: proofId } }
  },
})

/** What the worker of a request commits to; the payer must be that worker. */
function commit({ params: { taskId }, body }: Input): { proofId: Hex; proofHash: Hex } {
  const worker: Address = body.workerAddress
  const { hash: proofHash } = commitToText({ taskId, worker, text: body.proofData })
  return { proofId: toProofId(taskId, { worker, proofHash }), proofHash }
}
