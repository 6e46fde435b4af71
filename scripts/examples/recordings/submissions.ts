import { createHash } from 'node:crypto'
import { type Hex, keccak256, stringToBytes } from 'viem'
import { textAt } from '../recorder.ts'
import { deliveredFile, hexAt, type RecordingContext } from '../recording-context.ts'
import { signVerb } from '../wallets.ts'

/**
 * Records submissions to bounties, and their reads, rejection, acceptance and rating. The file of a submission is in
 * the request, or was uploaded before.
 */
export async function recordSubmissions(context: RecordingContext): Promise<void> {
  const taskId = await context.createTask({})
  const params = { taskId }
  const body = await context.submissionBody('alice', taskId)
  const { body: submissionAnswer } = await context.record('createSubmission', { params, body })
  await recordFiles(context, { taskId, submissionId: hexAt(submissionAnswer, 'submissionId') })
  await recordRejection(context)
  await recordSplit(context)
  await recordAcceptance(context, { taskId, submissionId: hexAt(submissionAnswer, 'submissionId') })
  await recordUpload(context)
}

interface Delivery {
  taskId: Hex
  submissionId: Hex
}

/** Records every read of a submission: lists, manifest, signed URL, and the file's bytes. */
async function recordFiles({ record, wallet }: RecordingContext, params: Delivery & Record<string, string>) {
  const { body: rows } = await record('listTaskSubmissions', { params })
  await record('getSubmissionManifest', { params })
  const query = { workerAddress: wallet('alice').address, limit: '1' }
  await record('listMySubmissions', { query, as: 'alice' })
  const artifactId = textAt(rows, 0, 'artifacts', 0, 'id')
  const { body: preview } = await record('getArtifactPreview', { params: { ...params, artifactId } })
  const file = fromSignedUrl(textAt(preview, 'previewUrl'))
  await record('getArtifactBytes', file)
  await record('getArtifactBytes', { ...file, headers: { Range: 'bytes=0-4' } })
}

/** Converts a signed URL of the service to the parameters of the request for this URL. */
function fromSignedUrl(text: string) {
  const url = new URL(text)
  return {
    params: { id: url.pathname.slice(url.pathname.lastIndexOf('/') + 1) },
    query: Object.fromEntries(url.searchParams),
  }
}

async function recordRejection({ record, createTask, submit, wallet }: RecordingContext): Promise<void> {
  const taskId = await createTask({})
  await submit('bob', taskId)
  const body = { taskId, worker: wallet('bob').address }
  await record('rejectSubmission', { params: { taskId }, payer: 'requester', body })
}

async function recordSplit({ record, createTask, submit, wallet }: RecordingContext): Promise<void> {
  const taskId = await createTask({})
  const submissionId = await submit('alice', taskId)
  await submit('bob', taskId)
  const winners = [
    { worker: wallet('alice').address, share: 6000, submissionId },
    { worker: wallet('bob').address, share: 4000 },
  ]
  await record('acceptSubmissions', { params: { taskId }, payer: 'requester', body: { taskId, winners } })
}

/** Records an acceptance and a rating by the requester, and the reads that need them. */
async function recordAcceptance(context: RecordingContext, { taskId, submissionId }: Delivery): Promise<void> {
  const { record, perform, wallet } = context
  const params = { taskId }
  const worker = wallet('alice').address
  await record('acceptSubmission', { params, payer: 'requester', body: { taskId, worker } })
  const rating = { taskId, worker, rating: 95, feedbackText: 'Complete, and a day early.' }
  await record('rateWorker', { params, payer: 'requester', body: rating })
  const { body: list } = await record('listTaskFeedbacks', { params })
  await record('getFeedbackFile', { params: { id: textAt(list, 'feedbacks', 0, 'id') } })
  await record('listAgentWork', { params: { address: worker }, query: { limit: '1' } })
  await record('getAgentStats', { query: { address: worker } })
  await record('listLeaderboard', { query: { limit: '1' } })
  await record('getAgentCount')
  await record('getInbox', { query: { address: worker, section: 'invitedPrivateTasks' }, as: 'alice' })
  await record('getActionQueue', { query: { address: worker } })
  const { body: task } = await perform('getTask', { params })
  const acceptanceTxHash = textAt(task, 'awards', 0, 'settlementTxHash')
  const body = { taskId, submissionId, acceptanceTxHash }
  await record('downloadSubmission', { params: { taskId, submissionId }, body })
}

/** Records the upload of a file, and a submission that names this file. */
async function recordUpload({ record, createTask, wallet }: RecordingContext): Promise<void> {
  const taskId = await createTask({})
  const params = { taskId }
  const { text, ...fileFields } = deliveredFile
  const bytes = stringToBytes(text)
  const file = { ...fileFields, role: 'final', sizeBytes: bytes.length }
  const signedFields = {
    taskId,
    workerAddress: wallet('alice').address,
    signature: await signVerb(wallet('alice'), 'submit', taskId),
  }
  const { body: target } = await record('requestUploadUrl', { params, body: { ...signedFields, ...file } })
  const headers = { 'Content-Type': fileFields.mimeType }
  await record('putUpload', { ...fromSignedUrl(textAt(target, 'uploadUrl')), headers, text })
  const sha256Hash = createHash('sha256').update(bytes).digest('hex')
  const artifactKey = textAt(target, 'artifactKey')
  const artifacts = [{ artifactKey, ...file, sha256Hash, keccak256Hash: keccak256(bytes) }]
  await record('createSubmissionFromKeys', { params, body: { ...signedFields, artifacts } })
}
