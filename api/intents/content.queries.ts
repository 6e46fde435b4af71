import { bindByteCharges } from '../artifacts/byte-charges.queries.ts'
import { bindStoredFiles } from '../artifacts/stored-files.queries.ts'
import { bindUploads } from '../artifacts/uploads.queries.ts'
import type { Transaction } from '../db/client.ts'
import type {
  ContentRows,
  FeedbackContentRow,
  PitchContentRow,
  ProofContentRow,
  SubmissionContentRow,
  TaskAccessContent,
  TaskContentRow,
  TaskDropMemberRow,
  TaskDropRow,
} from './content.ts'
import { hashTags } from './tag-texts.queries.ts'

/** Stores the off-chain content of a write in the transaction that binds the write. */
export async function insertContent(tx: Transaction, intentId: string, content: ContentRows): Promise<void> {
  if (content.task) await insertTaskContent(tx, intentId, content.task)
  if (content.submission) await insertSubmissionContent(tx, intentId, content.submission)
  if (content.pitch) await insertPitchContent(tx, intentId, content.pitch)
  if (content.proof) await insertProofContent(tx, intentId, content.proof)
  if (content.feedback) await insertFeedbackContent(tx, intentId, content.feedback)
  if (content.taskDrop) await insertTaskDrop(tx, intentId, content.taskDrop)
  if (content.taskDropMember) await insertTaskDropMember(tx, intentId, content.taskDropMember)
}

async function insertTaskContent(tx: Transaction, intentId: string, task: TaskContentRow): Promise<void> {
  // Sent at once and run in this order: the tags are stored with the content, then hashed.
  await Promise.all([insertTask(tx, intentId, task), task.taskVisibility === 'public' && hashTags(tx, task.tags)])
  if (task.access) await insertTaskAccess(tx, intentId, { task, access: task.access })
}

/**
 * Inserts the row of `task_content`. The driver sends a statement only when code awaits it. This function awaits the
 * statement itself, so the database receives it even before the caller awaits the result of the function.
 */
async function insertTask(tx: Transaction, intentId: string, task: TaskContentRow): Promise<void> {
  await tx`
    insert into task_content (requester, content_hash, intent_id, document, description, tags, task_visibility,
      submission_visibility, metric_description, metric_target)
    values (${task.requester}, ${task.contentHash}, ${intentId}, ${task.document}, ${task.description},
      ${task.tags}::text[], ${task.taskVisibility}, ${task.submissionVisibility}, ${task.metricDescription},
      ${task.metricTarget})`
}

async function insertTaskAccess(
  tx: Transaction,
  intentId: string,
  { task, access }: { task: TaskContentRow; access: TaskAccessContent },
): Promise<void> {
  const { requester, contentHash } = task
  const { passwordHash, viewers } = access
  await tx`
    insert into task_access (requester, content_hash, intent_id, password_hash)
    values (${requester}, ${contentHash}, ${intentId}, ${passwordHash})`
  if (viewers.length === 0) return
  const rows = viewers.map((viewer) => ({ requester, contentHash, viewer, addedBy: requester }))
  await tx`insert into task_viewers ${tx(rows)}`
}

async function insertSubmissionContent(
  tx: Transaction,
  intentId: string,
  submission: SubmissionContentRow,
): Promise<void> {
  const { taskId, worker, deliverable, manifest, signature, artifacts, uploads = [], byteCharges = [] } = submission
  await tx`
    insert into submission_content (task_id, worker, deliverable, intent_id, manifest, signature)
    values (${taskId}, ${worker}, ${deliverable}, ${intentId}, ${manifest}, ${signature})`
  await bindUploads(tx, uploads, intentId)
  await bindByteCharges(tx, byteCharges, intentId)
  if (artifacts.length === 0) return
  await bindStoredFiles(
    tx,
    artifacts.map(({ id }) => id),
    intentId,
  )
  const rows = artifacts.map((artifact) => ({
    taskId,
    worker,
    deliverable,
    id: artifact.id,
    displayOrder: artifact.displayOrder,
    role: artifact.role,
    fileName: artifact.fileName,
    mimeType: artifact.mimeType,
    mediaKind: artifact.mediaKind,
    sizeBytes: artifact.sizeBytes,
    sha256Hash: artifact.sha256Hash,
    keccak256Hash: artifact.keccak256Hash,
    textPreview: artifact.textPreview,
  }))
  await tx`insert into artifacts ${tx(rows)}`
}

async function insertPitchContent(tx: Transaction, intentId: string, pitch: PitchContentRow): Promise<void> {
  const { pitchId, taskId, worker, pitchText, estimatedDuration } = pitch
  await tx`
    insert into pitch_content (pitch_id, task_id, worker, intent_id, pitch_text, estimated_duration)
    values (${pitchId}, ${taskId}, ${worker}, ${intentId}, ${pitchText}, ${estimatedDuration})`
}

async function insertProofContent(tx: Transaction, intentId: string, proof: ProofContentRow): Promise<void> {
  const { proofId, taskId, worker, proofData } = proof
  await tx`
    insert into proof_content (proof_id, task_id, worker, intent_id, proof_data)
    values (${proofId}, ${taskId}, ${worker}, ${intentId}, ${proofData})`
}

async function insertFeedbackContent(tx: Transaction, intentId: string, feedback: FeedbackContentRow): Promise<void> {
  const { taskId, worker, feedbackHash, body, feedbackText } = feedback
  await tx`
    insert into feedback_content (task_id, worker, feedback_hash, intent_id, body, feedback_text)
    values (${taskId}, ${worker}, ${feedbackHash}, ${intentId}, ${body}, ${feedbackText})`
}

async function insertTaskDrop(tx: Transaction, intentId: string, drop: TaskDropRow): Promise<void> {
  await tx`
    insert into task_drops (id, owner, intent_id, name, description, created_at)
    values (${drop.id}, ${drop.owner}, ${intentId}, ${drop.name}, ${drop.description},
      to_timestamp(${drop.createdAt}::bigint))`
}

async function insertTaskDropMember(tx: Transaction, intentId: string, member: TaskDropMemberRow): Promise<void> {
  await tx`
    insert into task_drop_members (requester, created_content_hash, drop_id, intent_id, task_visibility)
    values (${member.requester}, ${member.createdContentHash}, ${member.dropId}, ${intentId},
      ${member.taskVisibility})`
}
