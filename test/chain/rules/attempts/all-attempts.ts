import type { ActionName } from '../../../../protocol/actions.ts'
import type { Attempts } from './attempt.ts'
import { auctionAccept, bid, selectWinner } from './auctions.ts'
import { accept, acceptSubmissions, object, rate, rejectSubmission, submit, submitProof } from './deliveries.ts'
import { claim, forfeit, pitch, selectWorker } from './entries.ts'
import { appeal, evaluate, evaluatorTimeout, finalizeVerdict, resolveDispute } from './evaluation.ts'
import { assignEvaluator, cancel, refundExpired, settleStale, update } from './terms.ts'

/** All actions with a rule: those that can be offered, and those that are admitted without an offer. */
export type EvaluatedAction = ActionName | 'object' | 'assign_evaluator'

/** How each is attempted. */
export const allAttempts: Readonly<Record<EvaluatedAction, Attempts<unknown>>> = {
  accept,
  accept_submissions: acceptSubmissions,
  appeal,
  assign_evaluator: assignEvaluator,
  auction_accept: auctionAccept,
  bid,
  cancel,
  claim,
  evaluate,
  evaluator_timeout: evaluatorTimeout,
  finalize_verdict: finalizeVerdict,
  forfeit,
  object,
  pitch,
  rate,
  reject_submission: rejectSubmission,
  refund_expired: refundExpired,
  resolve_dispute: resolveDispute,
  select_winner: selectWinner,
  select_worker: selectWorker,
  settle_stale: settleStale,
  submit,
  submit_proof: submitProof,
  update,
}
