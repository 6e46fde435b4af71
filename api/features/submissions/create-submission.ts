import { chargeProvenBytes } from '../../artifacts/byte-accounts.ts'
import { deleteByteCharge } from '../../artifacts/byte-charges.queries.ts'
import { SpooledFile } from '../../artifacts/received-file.ts'
import type { IncomingFile } from '../../artifacts/store-artifacts.ts'
import { taskText } from '../../domain/action-request.ts'
import { defineWrite } from '../../writes/define-write.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { type CreateSubmissionBody, createSubmissionBody } from './create-submission.schemas.ts'
import {
  guardAllowance,
  loadSubmission,
  prepareSubmission,
  refusePlainSignature,
  refuseSubmission,
  submissionCall,
} from './submission-call.ts'

/** Spec, "Limits": base64 submission JSON body. */
const BODY_LIMIT_BYTES = 50 * 1024 * 1024

/** Spec, "Submissions"; Interface, "Other rules" (free submissions). */
export const createSubmission = defineWrite({
  ...submissionCall,
  operation: 'submissions.create',
  operationId: 'createSubmission',
  summary: 'Submit work with its files',
  description:
    'Free on the signature of the worker: in contests up to the allowance that `/health` reports, then paid by the ' +
    'worker, up to the ceiling; of a claimed task, the one delivery. Anchors keccak256 of the manifest of the files.',
  path: '/tasks/{taskId}/submissions',
  body: createSubmissionBody,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  load: (deps, { params, body }) => loadSubmission(deps, { taskId: params.taskId, worker: body.workerAddress }),
  preflight: (subject, { body }, context) =>
    refuseSubmission(subject, { worker: body.workerAddress }, context) ?? refusePlainSignature(subject, context),
  signed: ({ params, body }) => ({
    actor: body.workerAddress,
    signature: body.signature,
    text: taskText('submit', params.taskId),
  }),
  prepare: async (deps, { task }, { body, arriving }, worker) => {
    if (arriving === undefined) throw new Error('the files of a body came without the count of their bytes')
    const sizeBytes = body.artifacts.reduce((sum, { file }) => sum + sizeOf(file), 0)
    const delivery = { worker, taskId: task.id, reward: task.reward, sizeBytes }
    const bytes = {
      ids: [arriving.id],
      charge: () => chargeProvenBytes(deps, arriving, delivery),
      refund: () => deleteByteCharge(deps.sql, arriving.id),
    }
    const files = body.artifacts.map((artifact) => toIncomingFile(deps, artifact))
    return await prepareSubmission(deps, { taskId: task.id, worker, signature: body.signature }, { files, bytes })
  },
  guard: (tx, subject, { params, body }) =>
    guardAllowance(tx, subject, { taskId: params.taskId, worker: body.workerAddress }),
})

function sizeOf(file: CreateSubmissionBody['artifacts'][number]['file']): number {
  return file instanceof SpooledFile ? file.sizeBytes : file.length
}

function toIncomingFile(
  { storage, hasher }: Pick<WriteDeps, 'storage' | 'hasher'>,
  { file, ...described }: CreateSubmissionBody['artifacts'][number],
): IncomingFile {
  return {
    ...described,
    keep: async (id) => {
      if (file instanceof SpooledFile) {
        await storage.put({ area: 'artifacts', id }, file.bytes(), file.sizeBytes)
        return file.hashes
      }
      await storage.put({ area: 'artifacts', id }, inOnePiece(file), file.length)
      return await hasher.hash(inOnePiece(file))
    },
  }
}

async function* inOnePiece(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file
}
