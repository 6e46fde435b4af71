import { isContest } from '../../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../../protocol/rules/task-status.ts'
import { accept, rejectSubmissions, submitWork } from '../indexer/calls/deliveries.ts'
import {
  acceptAuction,
  claimTask,
  selectLowestBidder,
  selectWorker,
  submitBid,
  submitPitch,
} from '../indexer/calls/entries.ts'
import { appeal, evaluate, finalizeVerdict, resolveDispute } from '../indexer/calls/evaluation.ts'
import { cancelTask, refundExpired } from '../indexer/calls/terms.ts'
import type { TaskMaker } from '../indexer/market-calls.ts'

const stay: TaskMaker = () => []

/** Submissions come and are rejected while a contest stays open. */
const stayOpen: TaskMaker = (environment, task) =>
  environment.random.pick([submitWork, rejectSubmissions])(environment, task)

/** The next call towards the target status of a task; none in that status. It may be too early. */
export function approach(target: TaskStatus): TaskMaker {
  return (environment, task) => nextCall(task, target, environment.now)(environment, task)
}

function nextCall(task: Parameters<TaskMaker>[1], target: TaskStatus, now: number): TaskMaker {
  if (task.status === target) return target === 'open' && isContest(task.mode) ? stayOpen : stay
  switch (task.status) {
    case 'open':
      return leaveOpen(task, target, now)
    case 'claimed':
    case 'worker_selected':
      return target === 'expired' ? refundExpired : submitWork
    case 'pending_approval':
      return accept
    case 'review':
      return evaluate
    case 'appealing':
      return target === 'disputed' ? appeal : finalizeVerdict
    case 'disputed':
      return resolveDispute
    default:
      return stay
  }
}

function leaveOpen({ mode, auctionType, view }: Parameters<TaskMaker>[1], target: TaskStatus, now: number): TaskMaker {
  if (target === 'cancelled') return cancelTask
  if (target === 'expired') return refundExpired
  if (isContest(mode)) {
    if (view.activeSubmissions === 0) return submitWork
    return view.hasEvaluator ? evaluate : accept
  }
  if (mode === 'claim') return claimTask
  if (mode === 'pitch') return view.pitchCount === 0 ? submitPitch : selectWorker
  if (auctionType === 'dutch' || auctionType === 'reverse_dutch') return acceptAuction
  return now >= view.bidDeadline ? selectLowestBidder : submitBid
}
