import type { ListingOf } from './listing.ts'
import { acceptAuction, acceptAuctionListing } from './operations/accept-auction.ts'
import { acceptSubmission, acceptSubmissionListing } from './operations/accept-submission.ts'
import { acceptSubmissions, acceptSubmissionsListing } from './operations/accept-submissions.ts'
import { appealVerdict, appealVerdictListing } from './operations/appeal-verdict.ts'
import { assignEvaluator, assignEvaluatorListing } from './operations/assign-evaluator.ts'
import { cancelTask, cancelTaskListing } from './operations/cancel-task.ts'
import { claimReward, claimRewardListing } from './operations/claim-reward.ts'
import { createBid, createBidListing } from './operations/create-bid.ts'
import { createClaim, createClaimListing } from './operations/create-claim.ts'
import { createPitch, createPitchListing } from './operations/create-pitch.ts'
import { createProof, createProofListing } from './operations/create-proof.ts'
import { createSubmission, createSubmissionListing } from './operations/create-submission.ts'
import { createSubmissionFromKeys, createSubmissionFromKeysListing } from './operations/create-submission-from-keys.ts'
import { createTask, createTaskListing } from './operations/create-task.ts'
import { evaluateTask, evaluateTaskListing } from './operations/evaluate-task.ts'
import { finalizeVerdict, finalizeVerdictListing } from './operations/finalize-verdict.ts'
import { forfeitTask, forfeitTaskListing } from './operations/forfeit-task.ts'
import { objectToDelivery, objectToDeliveryListing } from './operations/object-to-delivery.ts'
import { pushCredit, pushCreditListing } from './operations/push-credit.ts'
import { rateWorker, rateWorkerListing } from './operations/rate-worker.ts'
import { refundExpiredTask, refundExpiredTaskListing } from './operations/refund-expired-task.ts'
import { registerIdentity, registerIdentityListing } from './operations/register-identity.ts'
import { rejectSubmission, rejectSubmissionListing } from './operations/reject-submission.ts'
import { resolveDispute, resolveDisputeListing } from './operations/resolve-dispute.ts'
import { selectWinner, selectWinnerListing } from './operations/select-winner.ts'
import { selectWorker, selectWorkerListing } from './operations/select-worker.ts'
import { settleStaleTask, settleStaleTaskListing } from './operations/settle-stale-task.ts'
import { timeOutEvaluator, timeOutEvaluatorListing } from './operations/time-out-evaluator.ts'
import { updateTask, updateTaskListing } from './operations/update-task.ts'
import { withdraw, withdrawListing } from './operations/withdraw.ts'
import { withdrawToken, withdrawTokenListing } from './operations/withdraw-token.ts'
import type { operations } from './operations.ts'

/** The listing of each operation, by its name. */
export const catalogue: { [Name in keyof typeof operations]: ListingOf<(typeof operations)[Name]> } = {
  [createTask.name]: createTaskListing,
  [updateTask.name]: updateTaskListing,
  [cancelTask.name]: cancelTaskListing,
  [refundExpiredTask.name]: refundExpiredTaskListing,
  [acceptSubmission.name]: acceptSubmissionListing,
  [acceptSubmissions.name]: acceptSubmissionsListing,
  [rateWorker.name]: rateWorkerListing,
  [createSubmission.name]: createSubmissionListing,
  [createSubmissionFromKeys.name]: createSubmissionFromKeysListing,
  [rejectSubmission.name]: rejectSubmissionListing,
  [createClaim.name]: createClaimListing,
  [createBid.name]: createBidListing,
  [acceptAuction.name]: acceptAuctionListing,
  [selectWinner.name]: selectWinnerListing,
  [forfeitTask.name]: forfeitTaskListing,
  [objectToDelivery.name]: objectToDeliveryListing,
  [assignEvaluator.name]: assignEvaluatorListing,
  [evaluateTask.name]: evaluateTaskListing,
  [appealVerdict.name]: appealVerdictListing,
  [resolveDispute.name]: resolveDisputeListing,
  [finalizeVerdict.name]: finalizeVerdictListing,
  [timeOutEvaluator.name]: timeOutEvaluatorListing,
  [settleStaleTask.name]: settleStaleTaskListing,
  [pushCredit.name]: pushCreditListing,
  [withdraw.name]: withdrawListing,
  [withdrawToken.name]: withdrawTokenListing,
  [claimReward.name]: claimRewardListing,
  [registerIdentity.name]: registerIdentityListing,
  [createPitch.name]: createPitchListing,
  [selectWorker.name]: selectWorkerListing,
  [createProof.name]: createProofListing,
}
