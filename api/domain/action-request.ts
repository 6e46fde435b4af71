import type { Hex } from 'viem'
import { signatureSuffixOf } from '../../protocol/claim-round.ts'
import type { ActionName } from './pending-action.ts'

/** The request that takes an action: everything but the fields of its body that the caller chooses. */
export interface ActionRequestLine {
  method: 'POST'
  /** From the service's root, the task filled in. */
  path: string
  operationId: string
  /** The exact text of the EIP-191 signature that the body must carry; null: none is needed. */
  sign: string | null
}

/** The write behind each action: its operation, its path below the task, and the verb of the signature it needs. */
const writesOf: Record<ActionName, { operationId: string; path: string; verb?: 'claim' | 'submit' | 'forfeit' }> = {
  accept: { operationId: 'acceptSubmission', path: 'accept' },
  accept_submissions: { operationId: 'acceptSubmissions', path: 'accept-submissions' },
  appeal: { operationId: 'appealVerdict', path: 'appeal' },
  auction_accept: { operationId: 'acceptAuction', path: 'bids/accept' },
  bid: { operationId: 'createBid', path: 'bids' },
  cancel: { operationId: 'cancelTask', path: 'cancel' },
  claim: { operationId: 'createClaim', path: 'claim', verb: 'claim' },
  evaluate: { operationId: 'evaluateTask', path: 'evaluate' },
  evaluator_timeout: { operationId: 'timeOutEvaluator', path: 'evaluator-timeout' },
  finalize_verdict: { operationId: 'finalizeVerdict', path: 'finalize-verdict' },
  forfeit: { operationId: 'forfeitTask', path: 'forfeit', verb: 'forfeit' },
  pitch: { operationId: 'createPitch', path: 'pitches' },
  rate: { operationId: 'rateWorker', path: 'rate' },
  reject_submission: { operationId: 'rejectSubmission', path: 'reject-submission' },
  refund_expired: { operationId: 'refundExpiredTask', path: 'refund-expired' },
  resolve_dispute: { operationId: 'resolveDispute', path: 'resolve-dispute' },
  select_winner: { operationId: 'selectWinner', path: 'bids/select-winner' },
  select_worker: { operationId: 'selectWorker', path: 'pitches/select' },
  settle_stale: { operationId: 'settleStaleTask', path: 'settle-stale' },
  submit: { operationId: 'createSubmission', path: 'submissions', verb: 'submit' },
  submit_proof: { operationId: 'createProof', path: 'proofs' },
  update: { operationId: 'updateTask', path: 'update' },
}

/** Interface, "Corrections after the first build": a caller without our tools can act on an entry as it stands. */
export function actionRequestOf(
  action: ActionName,
  { id, claimRound, serviceName }: { id: Hex; claimRound: number; serviceName: string },
): ActionRequestLine {
  const { operationId, path, verb } = writesOf[action]
  // A submission's signature is bound to no round: the assigned worker delivers once.
  const suffix = verb === 'submit' ? '' : signatureSuffixOf({ claimRound })
  return {
    method: 'POST',
    path: `/api/tasks/${id}/${path}`,
    operationId,
    sign: verb === undefined ? null : toSignedMessage(serviceName, taskText(verb, id), suffix),
  }
}

/** The text by which a worker or requester agrees to act on a task, without the service's name. Spec, "Authentication". */
export function taskText(verb: string, taskId: Hex): string {
  return `${verb}:${taskId}`
}

/** What is signed (EIP-191) over a text: `<service>:<text><suffix>`. */
export function toSignedMessage(serviceName: string, text: string, suffix = ''): string {
  return `${serviceName}:${text}${suffix}`
}
