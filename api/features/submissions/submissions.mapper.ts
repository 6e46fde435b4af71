import type { Address } from 'viem'
import { toAddress, toTimestamp, toTimestampOrNull } from '../../http/wire.ts'
import { type FileLinks, URL_LIFETIME_SECONDS } from '../../storage/file-links.ts'
import type { ArtifactRecord, SubmissionRow } from './submissions.queries.ts'
import type { Artifact, Submission } from './submissions.schemas.ts'

/** Kinds a viewer can show; of the others only the file itself is of use. */
const SHOWABLE = new Set(['image', 'video', 'audio', 'pdf', 'text'])

/** What links and signatures in an answer depend on. */
export interface SubmissionView {
  links: FileLinks
  /** Lower case; null: anonymous. */
  caller: Address | null
  /** Chain head's time, Unix seconds. */
  now: bigint
}

/** A submission with its files, as its caller may see it. */
export function toSubmission(row: SubmissionRow, files: readonly ArtifactRecord[], view: SubmissionView): Submission {
  const artifacts = files.map((file) => toArtifact(row, file, view))
  const main = files.find(({ role }) => role === 'final') ?? files[0]
  return {
    id: row.id,
    referenceCode: row.referenceCode,
    taskId: row.taskId,
    workerAddress: toAddress(row.worker),
    fileUrl: main === undefined ? null : view.links.toArtifact(main.id, Number(view.now + URL_LIFETIME_SECONDS)),
    signature: view.caller === row.worker ? row.signature : null,
    submittedAt: toTimestamp(row.submittedAt),
    rejectedAt: toTimestampOrNull(row.rejectedAt),
    workerAgentId: row.agentId?.toString() ?? null,
    deliverableHash: row.deliverable,
    submitTxHash: row.transactionHash,
    artifacts,
    workerStats: toWorkerStats(row),
  }
}

function toArtifact(submission: SubmissionRow, file: ArtifactRecord, view: SubmissionView): Artifact {
  const expiresAt = view.now + URL_LIFETIME_SECONDS
  return {
    id: file.id,
    taskId: submission.taskId,
    submissionId: submission.id,
    workerAddress: toAddress(submission.worker),
    workerAgentId: submission.agentId?.toString() ?? null,
    role: file.role as Artifact['role'],
    fileName: file.fileName,
    mimeType: file.mimeType,
    mediaKind: file.mediaKind as Artifact['mediaKind'],
    storageUri: `artifact:${file.id}`,
    sizeBytes: Number(file.sizeBytes),
    sha256Hash: file.sha256Hash,
    keccak256Hash: file.keccak256Hash,
    displayOrder: file.displayOrder,
    ...(file.textPreview !== null && { textPreview: file.textPreview }),
    ...(SHOWABLE.has(file.mediaKind) && {
      previewUrl: view.links.toArtifact(file.id, Number(expiresAt)),
      previewExpiresAt: toTimestamp(expiresAt),
    }),
  }
}

function toWorkerStats({ completedTasks, ratedTasks, totalStars }: SubmissionRow): Submission['workerStats'] {
  if (completedTasks === null || ratedTasks === null || totalStars === null) return null
  const averageRating = ratedTasks === 0 ? null : totalStars / ratedTasks
  return { completedTasks, ratedTasks, totalStars, averageRating }
}
