import { acceptSubmission } from './operations/accept-submission.ts'
import { acceptSubmissions } from './operations/accept-submissions.ts'
import { cancelTask } from './operations/cancel-task.ts'
import { forfeitTask } from './operations/forfeit-task.ts'
import { rateWorker } from './operations/rate-worker.ts'
import { refundExpiredTask } from './operations/refund-expired-task.ts'
import { settleStaleTask } from './operations/settle-stale-task.ts'

/** The table of operations, by name. A new one is a file in `operations/`, and a line here and in `catalogue.ts`. */
export const operations = {
  [cancelTask.name]: cancelTask,
  [refundExpiredTask.name]: refundExpiredTask,
  [acceptSubmission.name]: acceptSubmission,
  [acceptSubmissions.name]: acceptSubmissions,
  [rateWorker.name]: rateWorker,
  [forfeitTask.name]: forfeitTask,
  [settleStaleTask.name]: settleStaleTask,
}
