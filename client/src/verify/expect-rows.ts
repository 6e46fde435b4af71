import { type Hex, keccak256, stringToBytes } from 'viem'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { toProofType } from '../../../protocol/rules/proof-type.ts'
import { toBidId, toRatingId } from '../../../protocol/rules/row-ids.ts'
import { isTerminal } from '../../../protocol/rules/task-status.ts'
import { areBidsSealed } from '../../../protocol/sealed-bids.ts'
import type { components } from '../api/openapi.ts'
import { isRecord } from '../http/shape.ts'
import { aCodeOf, isoOf, ofIdentity, ofService, type TaskOnChain, termsOf } from './expect-task.ts'
import { type Expected, Told, Unknowable } from './expected.ts'

type Row<Name extends keyof components['schemas']> = components['schemas'][Name]
const ofLink = new Unknowable('a link of the service')
const ofRecord = new Unknowable('a sum over other tasks, which are not read')

/**
 * The rows that a list must contain according to the chain, by row id. `hidden`: the reason why the service may omit
 * rows; null if the service must return all rows.
 */
export interface ExpectedRows<Row> {
  rows: Map<string, Expected<Row>>
  hidden: string | null
}

/**
 * A function that reads a document from the service, and returns the text of the document. Returns null if the caller
 * may not read the document.
 */
export type ReadDocument = (path: string) => Promise<string | null>

/**
 * Returns the expected submissions. The expected files come from the manifest that the service returns. The hash of
 * this manifest must equal the submission's deliverable hash on the chain.
 */
export async function expectSubmissions(
  { id: taskId, history }: TaskOnChain,
  { submissionVisibility, read }: { submissionVisibility: string; read: ReadDocument },
): Promise<ExpectedRows<Row<'Submission'>>> {
  const rows = new Map<string, Expected<Row<'Submission'>>>()
  for (const [id, { worker, deliverable, txHash, at, rejectedAt }] of history.submissions) {
    const manifest = history.proofs.has(id) ? null : await read(`/api/tasks/${taskId}/submissions/${id}/manifest`)
    rows.set(id, {
      id,
      referenceCode: aCodeOf('submission', id),
      taskId,
      workerAddress: worker,
      fileUrl: ofLink,
      signature: ofService,
      submittedAt: isoOf(at),
      rejectedAt: rejectedAt === null ? null : isoOf(rejectedAt),
      workerAgentId: ofIdentity,
      deliverableHash: deliverable,
      submitTxHash: txHash,
      artifacts: history.proofs.has(id)
        ? []
        : expectArtifacts(manifest, { taskId, submissionId: id, worker, deliverable }),
      workerStats: ofRecord,
    })
  }
  const hiddenReason =
    submissionVisibility === 'public'
      ? null
      : `the task shows submissions by \`${submissionVisibility}\`: this one may be hidden from the caller`
  return { rows, hidden: hiddenReason }
}

function expectArtifacts(
  manifest: string | null,
  { taskId, submissionId, worker, deliverable }: { taskId: Hex; submissionId: Hex; worker: string; deliverable: Hex },
): Expected<Row<'Artifact'>[]> {
  if (manifest === null) return new Unknowable('the service shows no manifest of it to the caller')
  if (keccak256(stringToBytes(manifest)) !== deliverable) {
    return new Told(deliverable, () => false, 'the manifest of the service has another hash than the deliverable')
  }
  const { artifacts } = parseDocument(manifest) as { artifacts?: Row<'Artifact'>[] }
  if (!Array.isArray(artifacts) || !artifacts.every(isRecord))
    return new Unknowable('the manifest of its worker lists no files')
  return artifacts.map(({ displayOrder, fileName, keccak256Hash, mimeType, role, sha256Hash, sizeBytes }) => ({
    id: ofService,
    taskId,
    submissionId,
    workerAddress: worker,
    workerAgentId: ofIdentity,
    role,
    fileName,
    mimeType,
    mediaKind: ofService,
    storageUri: ofLink,
    sizeBytes,
    sha256Hash,
    keccak256Hash,
    displayOrder,
    textPreview: new Unknowable('part of a file, whose bytes the hashes are to be compared with'),
    previewUrl: ofLink,
    previewExpiresAt: ofLink,
  }))
}

/**
 * Returns the expected pitches. A pitch's id contains the hash of the pitch text. If the service returns the text, the
 * text must match this hash.
 */
export function expectPitches(chain: TaskOnChain): ExpectedRows<Row<'Pitch'>> {
  const { id: taskId, history } = chain
  const { status } = termsOf(chain)
  const rows = [...history.pitches].map(([id, { worker, hash, at }]): [string, Expected<Row<'Pitch'>>] => {
    const state = status === 'open' ? 'pending' : worker === history.assigned?.worker ? 'selected' : 'rejected'
    return [
      id,
      {
        id,
        taskId,
        workerAddress: worker,
        pitchText: aTextOf(hash, { taskId, worker }),
        estimatedDuration: ofService,
        status: state,
        submittedAt: isoOf(at),
        workerAgentId: ofIdentity,
        workerStats: ofRecord,
      },
    ]
  })
  return { rows: new Map(rows), hidden: null }
}

/**
 * Returns the expected proofs. If the service's answer contains a proof's data, the data must match the hash on the
 * chain.
 */
export function expectProofs(chain: TaskOnChain, submissionVisibility: string): ExpectedRows<Row<'Proof'>> {
  const { id: taskId, history } = chain
  const { status } = termsOf(chain)
  const rows = [...history.proofs].map(
    ([id, { worker, hash, type, metricValue, at }]): [string, Expected<Row<'Proof'>>] => {
      const isAwarded = history.awards.some((award) => award.worker === worker)
      const isRejected = isTerminal(status) || history.submissions.get(id as Hex)?.rejectedAt != null
      return [
        id,
        {
          id,
          taskId,
          workerAddress: worker,
          proofData: aTextOf(hash, { taskId, worker }),
          proofType: toProofType(type),
          metricValue: String(metricValue),
          // The market awards one of a worker's proofs.
          status: isAwarded
            ? new Told('verified', (value) => value !== 'pending', 'its worker was awarded')
            : isRejected
              ? 'rejected'
              : 'pending',
          submissionId: id,
          submittedAt: isoOf(at),
          workerAgentId: ofIdentity,
        },
      ]
    },
  )
  const hiddenReason =
    submissionVisibility === 'public' ? null : 'a proof is a submission, which the task may hide from the caller'
  return { rows: new Map(rows), hidden: hiddenReason }
}

/**
 * Returns the expected bids: the last bid of each worker. `isSealed`: true while the service may show only the number
 * of bids.
 */
export function expectBids(chain: TaskOnChain): ExpectedRows<Row<'Bid'>> & { isSealed: boolean } {
  const { id: taskId, history } = chain
  const { auctionType, bidDeadline } = termsOf(chain)
  const rows = [...history.bids.values()].map(({ worker, price, at }): [string, Expected<Row<'Bid'>>] => {
    const id = toBidId(taskId, worker)
    const whose = new Unknowable('told to the caller alone')
    return [
      id,
      {
        id,
        taskId,
        workerAddress: worker,
        workerAgentId: ofIdentity,
        price: String(price),
        createdAt: isoOf(at),
        isMyBid: whose,
      },
    ]
  })
  return { rows: new Map(rows), hidden: null, isSealed: areBidsSealed({ auctionType, bidDeadline }, chain.block.time) }
}

/** Returns the expected claim of the latest round; null if the task has no claim. */
export function expectClaim({ id: taskId, history: { claim } }: TaskOnChain): Expected<Row<'Claim'>> | null {
  if (claim === null) return null
  const { id, worker, stake, status, txHash, at } = claim
  return {
    id,
    taskId,
    workerAddress: worker,
    stakeAmount: String(stake),
    stakeTxHash: stake > 0n ? txHash : null,
    claimedAt: isoOf(at),
    status,
  }
}

/**
 * Returns the expected ratings. The rating texts come from the service's feedback files, whose hashes are on the chain.
 */
export async function expectFeedbacks(
  { id: taskId, view, history }: TaskOnChain,
  read: ReadDocument,
): Promise<ExpectedRows<Row<'Feedback'>>> {
  const rows = new Map<string, Expected<Row<'Feedback'>>>()
  for (const [worker, { rating, hash, txHash, at }] of history.ratings) {
    const id = toRatingId(taskId, worker)
    rows.set(id, {
      id,
      taskId,
      workerAddress: worker,
      workerAgentId: ofIdentity,
      requesterAddress: view.requester,
      requesterAgentId: ofIdentity,
      rating,
      feedbackText: expectFeedbackText(await read(`/api/feedback/${id}`), hash),
      ratingTxHash: txHash,
      createdAt: isoOf(at),
    })
  }
  return { rows, hidden: null }
}

function expectFeedbackText(file: string | null, hash: Hex): Expected<string | null> {
  if (file === null) return new Unknowable('the service shows no feedback file to the caller')
  if (keccak256(stringToBytes(file)) !== hash)
    return new Told(hash, () => false, 'the feedback file has another hash than the rating')
  return (parseDocument(file) as { feedbackText?: string | null }).feedbackText ?? null
}

/**
 * Parses a document whose hash is on the chain. The document's author may have given it any form: a text that is not
 * JSON becomes `{}`.
 */
function parseDocument(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * Returns an expectation that compares a text with the text's hash on the chain. An empty text is not checked, because
 * the service sends an empty text in place of a missing or hidden text.
 */
function aTextOf(hash: Hex, { taskId, worker }: { taskId: Hex; worker: `0x${string}` }): Told {
  const isText = (value: unknown) => {
    if (value === '') return null
    return typeof value === 'string' && commitToText({ taskId, worker, text: value }).hash === hash
  }
  return new Told(hash, isText, 'by the hash of the text; without one the service has none, or none for the caller')
}
