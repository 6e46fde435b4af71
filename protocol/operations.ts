import { acceptAuction } from './operations/accept-auction.ts'
import { acceptSubmission } from './operations/accept-submission.ts'
import { acceptSubmissions } from './operations/accept-submissions.ts'
import { appealVerdict } from './operations/appeal-verdict.ts'
import { assignEvaluator } from './operations/assign-evaluator.ts'
import { cancelTask } from './operations/cancel-task.ts'
import { claimReward } from './operations/claim-reward.ts'
import { createBid } from './operations/create-bid.ts'
import { createClaim } from './operations/create-claim.ts'
import { createPitch } from './operations/create-pitch.ts'
import { createProof } from './operations/create-proof.ts'
import { createSubmission } from './operations/create-submission.ts'
import { createSubmissionFromKeys } from './operations/create-submission-from-keys.ts'
import { createTask } from './operations/create-task.ts'
import { evaluateTask } from './operations/evaluate-task.ts'
import { finalizeVerdict } from './operations/finalize-verdict.ts'
import { forfeitTask } from './operations/forfeit-task.ts'
import { objectToDelivery } from './operations/object-to-delivery.ts'
import { pushCredit } from './operations/push-credit.ts'
import { rateWorker } from './operations/rate-worker.ts'
import { refundExpiredTask } from './operations/refund-expired-task.ts'
import { registerIdentity } from './operations/register-identity.ts'
import { rejectSubmission } from './operations/reject-submission.ts'
import { resolveDispute } from './operations/resolve-dispute.ts'
import { selectWinner } from './operations/select-winner.ts'
import { selectWorker } from './operations/select-worker.ts'
import { settleStaleTask } from './operations/settle-stale-task.ts'
import { timeOutEvaluator } from './operations/time-out-evaluator.ts'
import { updateTask } from './operations/update-task.ts'
import { withdraw } from './operations/withdraw.ts'
import { withdrawToken } from './operations/withdraw-token.ts'

/** The table of operations, by name. A new one is a file in `operations/`, and a line here and in `catalogue.ts`. */
export const operations = {
  [createTask.name]: createTask,
  [updateTask.name]: updateTask,
  [cancelTask.name]: cancelTask,
  [refundExpiredTask.name]: refundExpiredTask,
  [acceptSubmission.name]: acceptSubmission,
  [acceptSubmissions.name]: acceptSubmissions,
  [rateWorker.name]: rateWorker,
  [createSubmission.name]: createSubmission,
  [createSubmissionFromKeys.name]: createSubmissionFromKeys,
  [rejectSubmission.name]: rejectSubmission,
  [createClaim.name]: createClaim,
  [createBid.name]: createBid,
  [acceptAuction.name]: acceptAuction,
  [selectWinner.name]: selectWinner,
  [forfeitTask.name]: forfeitTask,
  [objectToDelivery.name]: objectToDelivery,
  [assignEvaluator.name]: assignEvaluator,
  [evaluateTask.name]: evaluateTask,
  [appealVerdict.name]: appealVerdict,
  [resolveDispute.name]: resolveDispute,
  [finalizeVerdict.name]: finalizeVerdict,
  [timeOutEvaluator.name]: timeOutEvaluator,
  [settleStaleTask.name]: settleStaleTask,
  [pushCredit.name]: pushCredit,
  [withdraw.name]: withdraw,
  [withdrawToken.name]: withdrawToken,
  [claimReward.name]: claimReward,
  [registerIdentity.name]: registerIdentity,
  [createPitch.name]: createPitch,
  [selectWorker.name]: selectWorker,
  [createProof.name]: createProof,
}
