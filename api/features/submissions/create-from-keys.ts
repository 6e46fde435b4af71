import type { InputOf } from '../../../protocol/operation.ts'
import {
  createSubmissionFromKeys as entry,
  keysSuffixOf,
} from '../../../protocol/operations/create-submission-from-keys.ts'
import { chargeProvenUploads, refundUploads } from '../../artifacts/byte-accounts.ts'
import { promoteUpload } from '../../artifacts/promote-upload.ts'
import { listUploads, lockUnsubmitted, type Uploads } from '../../artifacts/uploads.queries.ts'
import { type KnownUpload, refuseSubmitted, refuseUpload } from '../../domain/artifacts/uploads.ts'
import { firstRefusal } from '../../domain/first-refusal.ts'
import type { WriteContext } from '../../writes/relayed-write.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { createFromKeysBody, type UploadedFile, uploadIdOf } from './create-from-keys.schemas.ts'
import {
  bindsSignature,
  guardAllowance,
  loadSubmission,
  prepareSubmission,
  refuseSubmission,
  type SubmissionSubject,
  submissionCall,
  submissionModeOf,
} from './submission-call.ts'

type Input = InputOf<typeof entry>

/** The values that the rules of a submission check. `uploads` has the worker's uploads for the task, by upload id. */
interface Subject extends SubmissionSubject {
  uploads: ReadonlyMap<string, KnownUpload>
}

/**
 * Submits work whose files the worker uploaded to signed URLs before.
 *
 * Example: `POST /api/tasks/0x4643../submissions/from-keys` with `{"taskId": "0x4643..", "workerAddress": "0x14dC..",
 * "signature": "0x541d..", "artifacts": [{..}]}` answers `{"success": true, "submissionId": "0x41be.."}`.
 */
export const createFromKeys = defineWrite(entry, {
  ...submissionCall,
  body: createFromKeysBody,
  load: async (deps, input) => {
    const [subject, uploads] = await Promise.all([
      loadSubmission(deps, { taskId: input.taskId, worker: input.workerAddress }),
      findUploads(deps, input),
    ])
    return subject && { ...subject, uploads }
  },
  mode: (subject) => submissionModeOf(subject),
  preflight: (subject, { workerAddress, artifacts }, context) =>
    refuseSubmission(subject, { worker: workerAddress }, context) ??
    (isProvenLater(subject, context) ? null : refuseUploads(subject, artifacts)),
  suffixes: (subject, { artifacts }) => (bindsSignature(subject) ? [keysSuffixOf(artifacts)] : null),
  content: async (deps, { task }, input, { actor }) => {
    const { artifacts } = input
    const until = AbortSignal.timeout(deps.config.UPLOAD_READ_MS)
    const uploads = artifacts.map(uploadIdOf)
    const sizeBytes = artifacts.reduce((sum, file) => sum + file.sizeBytes, 0)
    const delivery = { worker: actor, taskId: task.id, reward: task.reward, sizeBytes }
    const bytes = {
      ids: uploads,
      charge: () => chargeProvenUploads(deps, uploads, delivery),
      refund: () => refundUploads(deps, uploads),
    }
    const files = artifacts.map((file, index) => promoteUpload(deps, { file, upload: uploadIdOf(file), index, until }))
    return await prepareSubmission(deps, { ...input, worker: actor, uploads }, { files, bytes })
  },
  guard: async (tx, subject, input) => {
    const uploads = uploadsOf(input)
    return (
      (await guardAllowance(tx, subject, { taskId: input.taskId, worker: input.workerAddress })) ??
      ((await lockUnsubmitted(tx, uploads)) === uploads.ids.length ? null : refuseSubmitted(null))
    )
  },
})

/**
 * Returns true if the request is a free submission whose signature is not yet checked: a step after the preflight
 * checks it. Before that check, the sender is unknown, so no answer may disclose facts about uploads.
 */
function isProvenLater(subject: Subject, { actor }: WriteContext): boolean {
  return actor === null && submissionModeOf(subject) === 'signed'
}

function refuseUploads({ uploads }: Subject, artifacts: readonly UploadedFile[]) {
  return firstRefusal(artifacts, (file, index) => refuseUpload(file, uploads.get(uploadIdOf(file)) ?? null, index))
}

function uploadsOf({ taskId, workerAddress, artifacts }: Input): Uploads {
  return { ids: artifacts.map(uploadIdOf), taskId, worker: workerAddress }
}

/** Returns the recorded fields and the stored size of each upload. The bytes of the uploads are not read. */
async function findUploads(
  { sql, storage }: Pick<WriteDeps, 'sql' | 'storage'>,
  input: Input,
): Promise<ReadonlyMap<string, KnownUpload>> {
  const uploads = await listUploads(sql, uploadsOf(input))
  const storedSizes = await Promise.all(
    uploads.map(async ({ id, isSubmitted }) => (isSubmitted ? null : await storage.stat({ area: 'uploads', id }))),
  )
  return new Map(
    uploads.map((upload, index) => [upload.id, { ...upload, storedBytes: storedSizes[index]?.sizeBytes ?? null }]),
  )
}
