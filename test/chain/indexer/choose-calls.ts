import { isContest } from '../../../protocol/rules/selectors.ts'
import { isTerminal } from '../../../protocol/rules/task-status.ts'
import { administrate, changeHook, moveIdentity, switchBoundOnly, togglePause } from './calls/administration.ts'
import { createTask } from './calls/create-task.ts'
import { accept, objectToDelivery, rejectSubmissions, submitProof, submitWork } from './calls/deliveries.ts'
import {
  acceptAuction,
  claimTask,
  forfeitAndReopen,
  selectLowestBidder,
  selectWorker,
  submitBid,
  submitPitch,
} from './calls/entries.ts'
import {
  appeal,
  assignEvaluator,
  evaluate,
  evaluatorTimeout,
  finalizeVerdict,
  resolveDispute,
} from './calls/evaluation.ts'
import { toggleBlacklist, withdrawCredit } from './calls/money.ts'
import { cancelTask, rateTask, refundExpired, settleStale, updateTask } from './calls/terms.ts'
import type { Environment, Maker, TaskMaker } from './market-calls.ts'
import type { Call } from './market-chain.ts'
import type { TaskState } from './task-states.ts'

type Weighted<T> = readonly (readonly [weight: number, choice: T])[]

/**
 * Chooses one call or a sequence: mostly one that is valid in the state of its task, sometimes any. A call that reverts
 * has no log.
 */
export async function chooseCalls(environment: Environment): Promise<Call[]> {
  return pickWeighted(environment, makers)(environment)
}

const callOfTask: Maker = (environment) => {
  const { random, tasks } = environment
  const live = tasks.filter(({ status }) => !isTerminal(status))
  const candidates = live.length === 0 || random.chance(0.06) ? tasks : live
  if (candidates.length === 0) return []
  // Mostly one of the newest, so that a few tasks get many entries.
  const task = random.pick(random.chance(0.6) ? candidates.slice(-8) : candidates)
  return callOf(environment, task)
}

/** One call about a task: mostly one that is valid in its state. */
export const callOf: TaskMaker = (environment, task) => {
  const choices = environment.random.chance(0.05) ? anyCall : callsOf(task, environment.now)
  return pickWeighted(environment, choices)(environment, task)
}

const makers: Weighted<Maker> = [
  [18, createTask],
  [100, callOfTask],
  [6, toggleBlacklist],
  [4, withdrawCredit],
  [3, moveIdentity],
  [4, administrate],
  [4, togglePause],
  [2, switchBoundOnly],
  [4, changeHook],
]

/** The calls that are probably valid for a task at this time. */
function callsOf(task: TaskState, now: number): Weighted<TaskMaker> {
  const isExpired = now >= task.view.expiryTime
  const isStale = now >= task.view.expiryTime + 90 * 86_400
  const stale: Weighted<TaskMaker> = isStale ? [[4, settleStale]] : []
  switch (task.status) {
    case 'open':
      return isExpired ? [...callsOfExpired(task), ...stale] : callsOfOpen(task, now)
    case 'claimed':
    case 'worker_selected':
      return isExpired
        ? [[4, forfeitAndReopen], [1, refundExpired], [1, submitWork], ...stale]
        : [
            [1, submitWork],
            [6, wait],
          ]
    case 'pending_approval':
      return [[2, accept], [2, objectToDelivery], ...stale]
    case 'review':
      return [[3, evaluate], [2, wait], [now >= task.evaluation.phaseDeadline ? 4 : 1, evaluatorTimeout], ...stale]
    case 'appealing':
      return [
        [3, appeal],
        [3, finalizeVerdict],
      ]
    case 'disputed':
      return [
        [3, resolveDispute],
        [2, finalizeVerdict],
      ]
    case 'completed':
      return [[1, rateTask]]
    default:
      return anyCall
  }
}

function callsOfOpen(task: TaskState, now: number): Weighted<TaskMaker> {
  const changes = [
    [2, updateTask],
    [1, cancelTask],
    [1, assignEvaluator],
  ] as const
  if (isContest(task.mode)) {
    const [decide, answer] = task.view.hasEvaluator ? [evaluate, evaluatorTimeout] : [accept, rejectSubmissions]
    const prove = task.mode === 'benchmark' ? submitProof : submitWork
    return [...changes, [4, decide], [2, answer], [5, prove], [5, submitWork]]
  }
  if (task.mode === 'claim') return [...changes, [16, claimTask]]
  if (task.mode === 'pitch') return [...changes, [12, submitPitch], [task.view.pitchCount > 0 ? 8 : 0, selectWorker]]
  if (task.auctionType === 'dutch' || task.auctionType === 'reverse_dutch') return [...changes, [8, acceptAuction]]
  return now >= task.view.bidDeadline ? [...changes, [16, selectLowestBidder]] : [...changes, [16, submitBid]]
}

/** A contest can still be decided; other tasks are extended or ended. */
function callsOfExpired(task: TaskState): Weighted<TaskMaker> {
  const ways: Weighted<TaskMaker> = [
    [3, updateTask],
    [2, refundExpired],
    [1, cancelTask],
  ]
  if (!isContest(task.mode)) return ways
  return task.view.hasEvaluator
    ? [...ways, [3, evaluate], [3, evaluatorTimeout]]
    : [...ways, [3, accept], [3, rejectSubmissions]]
}

/** No call, so that deadlines pass. */
const wait: TaskMaker = () => []

/** Any call: mostly refused. */
const anyCall: Weighted<TaskMaker> = [
  ...([acceptAuction, claimTask, forfeitAndReopen, selectLowestBidder, selectWorker] as const),
  ...([submitBid, submitPitch, submitWork, submitProof, rejectSubmissions, accept, objectToDelivery] as const),
  ...([assignEvaluator, evaluate, appeal, resolveDispute, finalizeVerdict, evaluatorTimeout] as const),
  ...([updateTask, cancelTask, refundExpired, settleStale, rateTask] as const),
].map((make) => [1, make] as const)

function pickWeighted<T>({ random }: Environment, choices: Weighted<T>): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0)
  let ticket = random.below(total)
  for (const [weight, choice] of choices) {
    if (ticket < weight) return choice
    ticket -= weight
  }
  throw new Error('the weights do not add up')
}
