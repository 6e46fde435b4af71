import { acceptSubmission } from './operations/accept-submission.ts'
import { acceptSubmissions } from './operations/accept-submissions.ts'
import { appealVerdict } from './operations/appeal-verdict.ts'
import { assignEvaluator } from './operations/assign-evaluator.ts'
import { cancelTask } from './operations/cancel-task.ts'
import { evaluateTask } from './operations/evaluate-task.ts'
import { finalizeVerdict } from './operations/finalize-verdict.ts'
import { forfeitTask } from './operations/forfeit-task.ts'
import { rateWorker } from './operations/rate-worker.ts'
import { refundExpiredTask } from './operations/refund-expired-task.ts'
import { resolveDispute } from './operations/resolve-dispute.ts'
import { settleStaleTask } from './operations/settle-stale-task.ts'
import { timeOutEvaluator } from './operations/time-out-evaluator.ts'

/** The table of operations, by name. A new one is a file in `operations/`, and a line here and in `catalogue.ts`. */
export const operations = {
  [cancelTask.name]: cancelTask,
  [refundExpiredTask.name]: refundExpiredTask,
  [acceptSubmission.name]: acceptSubmission,
  [acceptSubmissions.name]: acceptSubmissions,
  [rateWorker.name]: rateWorker,
  [forfeitTask.name]: forfeitTask,
  [assignEvaluator.name]: assignEvaluator,
  [evaluateTask.name]: evaluateTask,
  [appealVerdict.name]: appealVerdict,
  [resolveDispute.name]: resolveDispute,
  [finalizeVerdict.name]: finalizeVerdict,
  [timeOutEvaluator.name]: timeOutEvaluator,
  [settleStaleTask.name]: settleStaleTask,
}
