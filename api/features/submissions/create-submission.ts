import { randomBytes } from 'node:crypto'
import { type Address, type Hex, toHex } from 'viem'
import { z } from 'zod'
import { toSubmissionId } from '../../../src/rules/row-ids.ts'
import { isContest } from '../../../src/rules/selectors.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { countSubmissions, lockSubmissions, type SubmissionCount } from '../../db/submission-count.queries.ts'
import { loadTaskSnapshot } from '../../db/task-snapshot.ts'
import type { Deps } from '../../deps.ts'
import { admit } from '../../domain/actions/admit.ts'
import { toSubmissionManifest } from '../../domain/documents/submission-manifest.ts'
import { ACTION_FEE } from '../../domain/limits.ts'
import { refuse } from '../../domain/refusal.ts'
import { legOfSubmission, refuseBeyondCeiling, type SubmissionAllowance } from '../../domain/submission-allowance.ts'
import type { TaskSnapshot } from '../../domain/task-snapshot.ts'
import { bytes32 } from '../../http/primitives.ts'
import { defineWrite, type WriteInput } from '../../writes/define-write.ts'
import {
  type CreateSubmissionBody,
  createSubmissionBody,
  createSubmissionResponse,
} from './create-submission.schemas.ts'
import { storeArtifacts } from './store-artifacts.ts'

/** Spec, "Limits": base64 submission JSON body. */
const BODY_LIMIT_BYTES = 50 * 1024 * 1024

/** An assigned worker delivers once: the contract counts. */
const unlimited: SubmissionAllowance = { free: Number.POSITIVE_INFINITY, ceiling: Number.POSITIVE_INFINITY }

interface Subject {
  task: TaskSnapshot
  /** Submissions of the worker to the task, anchored or under way. */
  used: SubmissionCount
  allowance: SubmissionAllowance
}

/** Spec, "Submissions"; Interface, "Other rules" (free submissions). */
export const createSubmission = defineWrite({
  operation: 'submissions.create',
  operationId: 'createSubmission',
  summary: 'Submit work with its files',
  description:
    'Free on the signature of the worker: in contests up to the allowance that `/health` reports, then paid by the ' +
    'worker, up to the ceiling; of a claimed task, the one delivery. Anchors keccak256 of the manifest of the files.',
  path: '/tasks/{taskId}/submissions',
  params: z.object({ taskId: bytes32 }),
  body: createSubmissionBody,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  response: createSubmissionResponse,
  load: async ({ sql, config }, { params, body }) => {
    const [task, used] = await Promise.all([
      loadTaskSnapshot(sql, params.taskId, [body.workerAddress]),
      countSubmissions(sql, params.taskId, body.workerAddress),
    ])
    const allowance = { free: config.FREE_SUBMISSIONS, ceiling: config.SUBMISSION_CEILING }
    return task && { task, used, allowance: isContest(task.mode) ? allowance : unlimited }
  },
  leg: ({ used, allowance }) => legOfSubmission(used.ordinary, allowance),
  charge: () => ({ amount: ACTION_FEE, escrow: 0n }),
  preflight: ({ task, used, allowance }, { body }, { actor, now }) =>
    admit('submit', task, { actor, now, args: { worker: body.workerAddress } }) ??
    refuseBeyondCeiling(used.total, allowance),
  signed: ({ params, body }) => ({
    actor: body.workerAddress,
    signature: body.signature,
    verb: 'submit',
    taskId: params.taskId,
  }),
  prepare: prepareSubmission,
  guard: async (tx, { used, allowance }: Subject, { params, body }) => {
    await lockSubmissions(tx, params.taskId, body.workerAddress)
    const usedNow = await countSubmissions(tx, params.taskId, body.workerAddress)
    const [legNow, leg] = [usedNow, used].map(({ ordinary }) => legOfSubmission(ordinary, allowance))
    if (legNow === 'paid' && leg === 'signed') {
      return refuse(
        409,
        'allowance_used_up',
        'The free submissions were used up meanwhile; send again to pay for this one.',
      )
    }
    return refuseBeyondCeiling(usedNow.total, allowance)
  },
  result: (mined) => {
    const { taskId, worker, deliverable } = getMarketEvent(mined, 'TaskSubmitted')
    return { body: { success: true, submissionId: toSubmissionId(taskId, { worker, deliverable }) } }
  },
})

async function prepareSubmission(
  { deployment, artifacts }: Deps,
  { task }: Subject,
  { body }: WriteInput<{ taskId: Hex }, CreateSubmissionBody>,
  worker: Address,
) {
  const taskId = task.id
  const stored = await storeArtifacts(artifacts, body.artifacts)
  const { text: manifest, hash: deliverable } = toSubmissionManifest(
    { taskId, worker, artifacts: stored.rows },
    toHex(randomBytes(32)),
  )
  return {
    ...encodeMarketCall(deployment.market, 'submitWork', [taskId, deliverable]),
    content: {
      submission: { taskId, worker, deliverable, manifest, signature: body.signature, artifacts: stored.rows },
    },
    discard: stored.remove,
  }
}
