import { createSubmission as entry } from '../../../protocol/operations/create-submission.ts'
import { chargeProvenBytes } from '../../artifacts/byte-accounts.ts'
import { deleteByteCharge } from '../../artifacts/byte-charges.queries.ts'
import { SpooledFile } from '../../artifacts/received-file.ts'
import type { IncomingFile } from '../../artifacts/store-artifacts.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { createSubmissionBody } from './create-submission.schemas.ts'
import {
  bindsSignature,
  guardAllowance,
  loadSubmission,
  prepareSubmission,
  refusePlainSignature,
  refuseSubmission,
  submissionCall,
  submissionModeOf,
} from './submission-call.ts'

/** The largest size in bytes of a request body with files in base64. See the specification, "Limits". */
const BODY_LIMIT_BYTES = 50 * 1024 * 1024

/**
 * Submits work whose files are in the body of the request.
 *
 * Example: `POST /api/tasks/0x9f0d../submissions` with `{"taskId": "0x9f0d..", "workerAddress": "0x14dC..",
 * "artifacts": [{..}], "signature": "0xd0a1.."}` answers `{"success": true, "submissionId": "0x8886.."}`.
 */
export const createSubmission = defineWrite(entry, {
  ...submissionCall,
  body: createSubmissionBody,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  load: (deps, { taskId, workerAddress }) => loadSubmission(deps, { taskId, worker: workerAddress }),
  mode: (subject) => submissionModeOf(subject),
  preflight: (subject, { workerAddress }, context) =>
    refuseSubmission(subject, { worker: workerAddress }, context) ?? refusePlainSignature(subject, context),
  // Files in the body have no keys to sign, so the text is bound to the call.
  suffixes: (subject) => (subject.takesCallTexts && bindsSignature(subject) ? [] : null),
  completeInput: async ({ hasher }, input) => ({
    ...input,
    artifacts: await Promise.all(
      input.artifacts.map(async (artifact) => ({ ...artifact, ...(await hashFile(hasher, receivedFile(artifact))) })),
    ),
  }),
  content: async (deps, { task }, input, { actor, arriving }) => {
    if (arriving === undefined) throw new Error('the files of a body came without the count of their bytes')
    const receivedArtifacts = input.artifacts.map((artifact) => ({ ...artifact, file: receivedFile(artifact) }))
    const sizeBytes = receivedArtifacts.reduce((sum, { file }) => sum + sizeOf(file), 0)
    const delivery = { worker: actor, taskId: task.id, reward: task.reward, sizeBytes }
    const bytes = {
      ids: [arriving.id],
      charge: () => chargeProvenBytes(deps, arriving, delivery),
      refund: () => deleteByteCharge(deps.sql, arriving.id),
    }
    const files = receivedArtifacts.map((artifact) => toIncomingFile(deps, artifact))
    const preparation = await prepareSubmission(deps, { ...input, worker: actor }, { files, bytes })
    if ('failure' in preparation) return preparation
    return { ...preparation, input: { ...input, artifacts: preparation.content.submission.artifacts } }
  },
  guard: (tx, subject, { taskId, workerAddress }) => guardAllowance(tx, subject, { taskId, worker: workerAddress }),
})

/** The received bytes of a file: in memory if the file is short, on disk if it is long. */
type ReceivedFile = Uint8Array | SpooledFile

/**
 * Returns the bytes of a file that the schema of the body has accepted.
 * @throws Error if the file has no bytes
 */
function receivedFile({ file }: { file?: unknown }): ReceivedFile {
  if (file instanceof SpooledFile || file instanceof Uint8Array) return file
  throw new Error('a file of a submission came without its bytes')
}

function sizeOf(file: ReceivedFile): number {
  return file instanceof SpooledFile ? file.sizeBytes : file.length
}

/** Returns the size in bytes and the hashes of a file. */
async function hashFile(hasher: WriteDeps['hasher'], file: ReceivedFile) {
  const hashes = file instanceof SpooledFile ? file.hashes : await hasher.hash(inOnePiece(file))
  return { ...hashes, sizeBytes: sizeOf(file) }
}

function toIncomingFile(
  { storage, hasher }: Pick<WriteDeps, 'storage' | 'hasher'>,
  { file, fileName, mimeType, role }: Omit<IncomingFile, 'keep'> & { file: ReceivedFile },
): IncomingFile {
  return {
    fileName,
    mimeType,
    role,
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
