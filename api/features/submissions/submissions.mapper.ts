import type { Address } from 'viem'
import type { ArtifactRecord } from '../../artifacts/artifacts.queries.ts'
import { mainFileOf } from '../../domain/artifacts/main-file.ts'
import { toAddress, toAmount, toTimestamp, toTimestampOrNull } from '../../http/response-schemas.ts'
import { type ArtifactView, toArtifact, toFileUrl } from '../artifact.mapper.ts'
import type { MySubmissionRow, SubmissionRow } from './submissions.queries.ts'
import type { MySubmission, Submission } from './submissions.schemas.ts'

/**
 * The values from which signed URLs of files are made, and the caller. The public form of a submission contains the
 * worker's signature only if the caller is the worker.
 */
export interface SubmissionView extends ArtifactView {
  /** The caller's address in lower case, or null if the caller is anonymous. */
  caller: Address | null
}

/**
 * Returns the public form of a submission with its files. The signature is included only if the caller is the worker.
 */
export function toSubmission(row: SubmissionRow, files: readonly ArtifactRecord[], view: SubmissionView): Submission {
  const main = mainFileOf(files)
  return {
    id: row.id,
    referenceCode: row.referenceCode,
    taskId: row.taskId,
    workerAddress: toAddress(row.worker),
    fileUrl: main && toFileUrl(main.id, view).url,
    signature: view.caller === row.worker ? row.signature : null,
    submittedAt: toTimestamp(row.submittedAt),
    rejectedAt: toTimestampOrNull(row.rejectedAt),
    workerAgentId: row.agentId?.toString() ?? null,
    deliverableHash: row.deliverable,
    submitTxHash: row.transactionHash,
    artifacts: files.map((file) =>
      toArtifact({ ...row, submissionId: row.id }, file, { ...view, previews: 'showable' }),
    ),
    workerStats: toWorkerStats(row),
  }
}

/**
 * Returns a submission in the form of `GET /submissions/mine`. `isTaskShown` is true if the caller may see the task. If
 * it is false, the description of the task is null.
 */
export function toMySubmission(row: MySubmissionRow, isTaskShown: boolean): MySubmission {
  return {
    submissionId: row.id,
    taskId: row.taskId,
    taskDescription: isTaskShown ? (row.description ?? '') : null,
    taskStatus: row.status,
    taskMode: row.mode,
    taskReward: toAmount(row.reward),
    submittedAt: toTimestamp(row.submittedAt),
    deliverableHash: row.deliverable,
    submitTxHash: row.transactionHash,
    rejectedAt: toTimestampOrNull(row.rejectedAt),
  }
}

function toWorkerStats({ completedTasks, ratedTasks, totalStars }: SubmissionRow): Submission['workerStats'] {
  if (completedTasks === null || ratedTasks === null || totalStars === null) return null
  const averageRating = ratedTasks === 0 ? null : totalStars / ratedTasks
  return { completedTasks, ratedTasks, totalStars, averageRating }
}
