import type { ListingOf } from './listing.ts'
import { acceptSubmission, acceptSubmissionListing } from './operations/accept-submission.ts'
import { acceptSubmissions, acceptSubmissionsListing } from './operations/accept-submissions.ts'
import { cancelTask, cancelTaskListing } from './operations/cancel-task.ts'
import { forfeitTask, forfeitTaskListing } from './operations/forfeit-task.ts'
import { rateWorker, rateWorkerListing } from './operations/rate-worker.ts'
import { refundExpiredTask, refundExpiredTaskListing } from './operations/refund-expired-task.ts'
import { settleStaleTask, settleStaleTaskListing } from './operations/settle-stale-task.ts'
import type { operations } from './operations.ts'

/** The listing of each operation, by its name. */
export const catalogue: { [Name in keyof typeof operations]: ListingOf<(typeof operations)[Name]> } = {
  [cancelTask.name]: cancelTaskListing,
  [refundExpiredTask.name]: refundExpiredTaskListing,
  [acceptSubmission.name]: acceptSubmissionListing,
  [acceptSubmissions.name]: acceptSubmissionsListing,
  [rateWorker.name]: rateWorkerListing,
  [forfeitTask.name]: forfeitTaskListing,
  [settleStaleTask.name]: settleStaleTaskListing,
}
