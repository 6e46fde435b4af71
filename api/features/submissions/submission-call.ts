import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { documentOfSubmission } from '../../../protocol/operations/document-of-submission.ts'
import { toSubmissionId } from '../../../protocol/rules/row-ids.ts'
import { isContest } from '../../../protocol/rules/selectors.ts'
import { type IncomingFile, storeArtifacts } from '../../artifacts/store-artifacts.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import type { Transaction } from '../../db/client.ts'
import { admit } from '../../domain/actions/admit.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import {
  freeSubmissionsOf,
  modeOfSubmission,
  refuseBeyondCeiling,
  type SubmissionAllowance,
} from '../../domain/submission-allowance.ts'
import type { TaskSnapshot } from '../../domain/task-snapshot.ts'
import { hashOut } from '../../http/response-schemas.ts'
import type { MinedWrite, WriteResult } from '../../intents/write-result.ts'
import {
  countSubmissions,
  hasBoundSubmission,
  lockSubmissions,
  type SubmissionCount,
} from '../../read-model/submission-count.queries.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import type { WriteContext } from '../../writes/relayed-write.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'

/**
 * The allowance of submissions in a task with an assigned worker. The service sets no limit, because the contract
 * accepts only one delivery.
 */
const unlimitedAllowance: SubmissionAllowance = {
  free: Number.POSITIVE_INFINITY,
  freeOfAll: Number.POSITIVE_INFINITY,
  ceiling: Number.POSITIVE_INFINITY,
}

/** The values that the rules of a submission check. */
export interface SubmissionSubject {
  task: TaskSnapshot
  /** The number of the worker's submissions to the task that are anchored on chain or being relayed. */
  used: SubmissionCount
  allowance: SubmissionAllowance
  /** The message that a worker signs if the signature does not name the files. */
  signedPlainly: string
  /**
   * True if the signed message of an earlier free submission by the worker to the task names the files. The signed
   * message of each later free submission by the worker to the task must then name its files too.
   */
  bindsFiles: boolean
  /** True if the contracts of the deployment accept signed messages that are bound to the exact call. */
  takesCallTexts: boolean
}

/** The worker and the task of a submission. */
interface Submitter {
  taskId: Hex
  worker: Address
}

/**
 * The response and the result of the write, for submissions with files in the body and for submissions of uploaded
 * files.
 */
export const submissionCall = {
  response: z.object({ success: z.boolean(), submissionId: hashOut }),
  facts: {},
  result: (minedWrite: MinedWrite): WriteResult => {
    const { taskId, worker, deliverable } = getMarketEvent(minedWrite, 'TaskSubmitted')
    return { body: { success: true, submissionId: toSubmissionId(taskId, { worker, deliverable }) } }
  },
}

/**
 * Returns the relay mode of the worker's next submission: `signed` while the worker has free submissions left, then
 * `paid`.
 */
export function submissionModeOf({ used, allowance }: SubmissionSubject): 'signed' | 'paid' {
  return modeOfSubmission(used, allowance)
}

/** Loads the values that the rules of a submission check. Returns null if there is no such task. */
export async function loadSubmission(
  { sql, config, deployment }: Pick<WriteDeps, 'sql' | 'config' | 'deployment'>,
  { taskId, worker }: Submitter,
): Promise<SubmissionSubject | null> {
  const [task, usedCount, bindsFiles] = await Promise.all([
    loadTaskSnapshot(sql, taskId, [worker]),
    countSubmissions(sql, taskId, worker),
    hasBoundSubmission(sql, taskId, worker),
  ])
  if (task === null) return null
  const allowance = {
    free: config.FREE_SUBMISSIONS,
    freeOfAll: freeSubmissionsOf(task.reward),
    ceiling: config.SUBMISSION_CEILING,
  }
  const signedPlainly = `${config.SERVICE_NAME}:submit:${taskId}`
  return {
    task,
    used: usedCount,
    bindsFiles,
    takesCallTexts: deployment.bound === true,
    signedPlainly,
    allowance: isContest(task.mode) ? allowance : unlimitedAllowance,
  }
}

/**
 * Returns the refusal of a submission, or null if the submission is allowed. See the interface specification, "Other
 * rules" (free submissions), and the specification, "submissionWindowOpen".
 */
export function refuseSubmission(
  { task, used, allowance }: SubmissionSubject,
  { worker }: Pick<Submitter, 'worker'>,
  { actor, now }: WriteContext,
): Refusal | null {
  return admit('submit', task, { actor, now, args: { worker } }) ?? refuseBeyondCeiling(used.total, allowance)
}

/**
 * Refuses a signature that does not name the submission's files. If the worker has signed the files of one free
 * submission to the task, the worker must also sign the files of every later free submission to the task. A free
 * submission with its files in the body is then always refused, because these files have no keys that a signature could
 * name. If the deployment accepts messages that are bound to the exact call, this function refuses nothing.
 */
export function refusePlainSignature(subject: SubmissionSubject, { actor }: WriteContext): Refusal | null {
  // Any account that sees a plain signature on chain could send it again with other files
  // (docs/internals/decisions/0005).
  if (actor === null || subject.takesCallTexts || !bindsSignature(subject)) return null
  return refuse(
    403,
    'signature_not_bound',
    'This worker’s submissions to this task are signed with their files. Upload these and send them to ' +
      `/tasks/${subject.task.id}/submissions/from-keys, with their keys at the end of the signed message: ` +
      `${subject.signedPlainly}:<key1>,<key2>...`,
    { field: 'signature' },
  )
}

/**
 * Returns true if the worker's next submission is free, and the signed message of this submission must name the files.
 */
export function bindsSignature(subject: SubmissionSubject): boolean {
  return subject.bindsFiles && submissionModeOf(subject) === 'signed'
}

/**
 * Checks the allowance again under a lock, because concurrent submissions could together exceed the allowance. Returns
 * a refusal if the free submissions were used up after the first check, or if the worker has reached the limit. Else
 * returns null.
 */
export async function guardAllowance(
  tx: Transaction,
  { used, allowance }: SubmissionSubject,
  { taskId, worker }: Submitter,
): Promise<Refusal | null> {
  await lockSubmissions(tx, taskId)
  const usedNow = await countSubmissions(tx, taskId, worker)
  const [modeNow, mode] = [usedNow, used].map((count) => modeOfSubmission(count, allowance))
  if (modeNow === 'paid' && mode === 'signed') {
    return refuse(
      409,
      'allowance_used_up',
      'The free submissions were used up meanwhile; send again to pay for this one.',
    )
  }
  return refuseBeyondCeiling(usedNow.total, allowance)
}

/** The functions that count the bytes of a submission against a worker's byte quota, and that give the bytes back. */
export interface SubmissionBytes {
  /** The ids of the database rows that record the charge for these bytes. */
  ids: string[]
  /**
   * Counts the bytes against the quota of the worker who signed or paid.
   * @throws ByteQuotaError if the worker's quota does not suffice
   */
  charge: () => Promise<void>
  refund: () => Promise<void>
}

/**
 * A submission whose files are not yet stored as artifacts. `uploads` contains the ids of the uploads that the
 * submission uses. If the request's body contains the files, `uploads` is absent.
 */
interface NewSubmission extends Submitter {
  signature: string
  documentSalt: Hex
  uploads?: string[]
}

/**
 * Charges the bytes, stores the files, and returns the submission's rows with their manifest.
 * @throws ByteQuotaError, before any file is stored
 */
export async function prepareSubmission(
  deps: WriteDeps,
  { taskId, worker, signature, documentSalt, uploads }: NewSubmission,
  { files, bytes }: { files: readonly IncomingFile[]; bytes: SubmissionBytes },
) {
  await bytes.charge()
  const storedArtifacts = await storeArtifacts(deps, files).catch(async (error: unknown) => {
    await bytes.refund()
    throw error
  })
  if ('failure' in storedArtifacts) {
    await bytes.refund()
    return storedArtifacts
  }
  const { rows: artifacts } = storedArtifacts
  const { text: manifest, hash: deliverable } = documentOfSubmission({ taskId, artifacts, documentSalt }, worker)
  const row = { taskId, worker, deliverable, manifest, signature, artifacts, byteCharges: bytes.ids }
  return {
    content: { submission: { ...row, ...(uploads && { uploads }) } },
    discard: async () => {
      await storedArtifacts.remove()
      await bytes.refund()
    },
  }
}
