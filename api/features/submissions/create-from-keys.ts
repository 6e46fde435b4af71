import type { z } from 'zod'
import { chargeProvenUploads, refundUploads } from '../../artifacts/byte-accounts.ts'
import { promoteUpload } from '../../artifacts/promote-upload.ts'
import { listUploads, lockUnsubmitted, type Uploads } from '../../artifacts/uploads.queries.ts'
import { taskText } from '../../domain/action-request.ts'
import { type KnownUpload, refuseSubmitted, refuseUpload } from '../../domain/artifacts/uploads.ts'
import { firstRefusal } from '../../domain/first-refusal.ts'
import { defineWrite, type WriteContext, type WriteInput } from '../../writes/define-write.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { createFromKeysBody, type UploadedFile, uploadIdOf } from './create-from-keys.schemas.ts'
import {
  guardAllowance,
  loadSubmission,
  prepareSubmission,
  refuseSubmission,
  type SubmissionSubject,
  submissionCall,
} from './submission-call.ts'

type Params = z.output<typeof submissionCall.params>
type Body = z.output<typeof createFromKeysBody>
type Input = WriteInput<Params, Body>

/** What the rules look at; the uploads by their ids, as far as they are this worker's for this task. */
interface Subject extends SubmissionSubject {
  uploads: ReadonlyMap<string, KnownUpload>
}

/** Spec, "Submissions": from-keys; Interface, "Other rules". */
export const createFromKeys = defineWrite<Params, Body, Subject>({
  ...submissionCall,
  operation: 'submissions.createFromKeys',
  operationId: 'createSubmissionFromKeys',
  summary: 'Submit work with uploaded files',
  description:
    'As a submission with its files in the body, for files that were uploaded before: up to 500 MB each. Size and both ' +
    'hashes of each file are checked before anything is charged or anchored. An upload can be submitted once.',
  path: '/tasks/{taskId}/submissions/from-keys',
  body: createFromKeysBody,
  load: async (deps, { params, body }) => {
    const [subject, uploads] = await Promise.all([
      loadSubmission(deps, { taskId: params.taskId, worker: body.workerAddress }),
      findUploads(deps, { params, body }),
    ])
    return subject && { ...subject, uploads }
  },
  preflight: (subject, { body }, context) =>
    refuseSubmission(subject, { worker: body.workerAddress }, context) ??
    (isProvenLater(subject, context) ? null : refuseUploads(subject, body.artifacts)),
  signed: ({ params, body }, subject) => {
    const bound = `:${body.artifacts.map(({ artifactKey }) => artifactKey).join(',')}`
    return {
      actor: body.workerAddress,
      signature: body.signature,
      text: taskText('submit', params.taskId),
      suffixes: subject.bindsFiles && submissionCall.mode(subject) === 'signed' ? [bound] : ['', bound],
    }
  },
  prepare: async (deps, { task }, { body }, worker) => {
    const until = AbortSignal.timeout(deps.config.UPLOAD_READ_MS)
    const uploads = body.artifacts.map(uploadIdOf)
    const sizeBytes = body.artifacts.reduce((sum, file) => sum + file.sizeBytes, 0)
    const delivery = { worker, taskId: task.id, reward: task.reward, sizeBytes }
    const bytes = {
      ids: uploads,
      charge: () => chargeProvenUploads(deps, uploads, delivery),
      refund: () => refundUploads(deps, uploads),
    }
    const files = body.artifacts.map((file, index) =>
      promoteUpload(deps, { file, upload: uploadIdOf(file), index, until }),
    )
    const submission = { taskId: task.id, worker, signature: body.signature, uploads }
    return await prepareSubmission(deps, submission, { files, bytes })
  },
  guard: async (tx, subject, input) => {
    const { params, body } = input
    const uploads = uploadsOf(input)
    return (
      (await guardAllowance(tx, subject, { taskId: params.taskId, worker: body.workerAddress })) ??
      ((await lockUnsubmitted(tx, uploads)) === uploads.ids.length ? null : refuseSubmitted(null))
    )
  },
})

/** A free submission proves its sender by the signature in its body: before that, no answer tells about uploads. */
function isProvenLater(subject: Subject, { actor }: WriteContext): boolean {
  return actor === null && submissionCall.mode(subject) === 'signed'
}

function refuseUploads({ uploads }: Subject, artifacts: readonly UploadedFile[]) {
  return firstRefusal(artifacts, (file, index) => refuseUpload(file, uploads.get(uploadIdOf(file)) ?? null, index))
}

function uploadsOf({ params, body }: Input): Uploads {
  return { ids: body.artifacts.map(uploadIdOf), taskId: params.taskId, worker: body.workerAddress }
}

/** What is known of the uploads without reading them. */
async function findUploads(
  { sql, storage }: Pick<WriteDeps, 'sql' | 'storage'>,
  input: Input,
): Promise<ReadonlyMap<string, KnownUpload>> {
  const known = await listUploads(sql, uploadsOf(input))
  const stored = await Promise.all(
    known.map(async ({ id, isSubmitted }) => (isSubmitted ? null : await storage.stat({ area: 'uploads', id }))),
  )
  return new Map(
    known.map((upload, index) => [upload.id, { ...upload, storedBytes: stored[index]?.sizeBytes ?? null }]),
  )
}
