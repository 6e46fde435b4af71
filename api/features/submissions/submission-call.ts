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

/** The allowance of an assigned worker, unlimited because the contract admits one delivery. */
const unlimited: SubmissionAllowance = {
  free: Number.POSITIVE_INFINITY,
  freeOfAll: Number.POSITIVE_INFINITY,
  ceiling: Number.POSITIVE_INFINITY,
}

/** The facts of a submission's rules. */
export interface SubmissionSubject {
  task: TaskSnapshot
  /** The worker's submissions to the task, anchored or being relayed. */
  used: SubmissionCount
  allowance: SubmissionAllowance
  /** The text of a plain signature. */
  signedPlainly: string
  /** True if a free submission of the worker to the task was signed with its files; then all later ones must be. */
  bindsFiles: boolean
  /** True if the deployment takes texts that are bound to the call. */
  takesCallTexts: boolean
}

/** The worker and task of a submission. */
interface Submitter {
  taskId: Hex
  worker: Address
}

/** The parts that both ways of submitting share, whatever the source of the files. */
export const submissionCall = {
  response: z.object({ success: z.boolean(), submissionId: hashOut }),
  facts: {},
  result: (mined: MinedWrite): WriteResult => {
    const { taskId, worker, deliverable } = getMarketEvent(mined, 'TaskSubmitted')
    return { body: { success: true, submissionId: toSubmissionId(taskId, { worker, deliverable }) } }
  },
}

/** Returns the relay mode of the worker's next submission: signed until the allowance is used up. */
export function submissionModeOf({ used, allowance }: SubmissionSubject): 'signed' | 'paid' {
  return modeOfSubmission(used, allowance)
}

/** Returns the facts; null: no such task. */
export async function loadSubmission(
  { sql, config, deployment }: Pick<WriteDeps, 'sql' | 'config' | 'deployment'>,
  { taskId, worker }: Submitter,
): Promise<SubmissionSubject | null> {
  const [task, used, bindsFiles] = await Promise.all([
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
    used,
    bindsFiles,
    takesCallTexts: deployment.bound === true,
    signedPlainly,
    allowance: isContest(task.mode) ? allowance : unlimited,
  }
}

/** Returns the refusal of a submission. Interface, "Other rules" (free submissions); Spec, "submissionWindowOpen". */
export function refuseSubmission(
  { task, used, allowance }: SubmissionSubject,
  { worker }: Pick<Submitter, 'worker'>,
  { actor, now }: WriteContext,
): Refusal | null {
  return admit('submit', task, { actor, now, args: { worker } }) ?? refuseBeyondCeiling(used.total, allowance)
}

/**
 * Refuses a plain signature once the worker has signed a submission with its files (docs/internals/decisions/0005): any
 * account that saw a plain signature on chain can send it again with other files. Files in the body have no keys to
 * sign, so they are refused too, unless the deployment takes texts that are bound to the call.
 */
export function refusePlainSignature(subject: SubmissionSubject, { actor }: WriteContext): Refusal | null {
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

/** Returns true if a free submission of the worker must be signed with its files. */
export function bindsSignature(subject: SubmissionSubject): boolean {
  return subject.bindsFiles && submissionModeOf(subject) === 'signed'
}

/** Counts again under a lock, so that concurrent submissions do not exceed the free allowance. */
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

/** The accounting of a submission's bytes. */
export interface SubmissionBytes {
  /** The rows in the ledger of bytes. */
  ids: string[]
  /** Charges the worker who signed or paid. @throws ByteQuotaError */
  charge: () => Promise<void>
  refund: () => Promise<void>
}

/** A submission before its files are stored. `uploads`: the ids that it uses. */
interface NewSubmission extends Submitter {
  signature: string
  documentSalt: Hex
  uploads?: string[]
}

/**
 * Charges and stores the files, and returns the rows of the submission with their manifest.
 * @throws ByteQuotaError, before a file is stored
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
