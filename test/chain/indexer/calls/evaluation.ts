import { type Address, zeroHash } from 'viem'
import { isContest } from '../../../../protocol/rules/selectors.ts'
import {
  actorAddresses,
  asActor,
  asAnyAccount,
  type Environment,
  listActiveWorkers,
  market,
  type TaskMaker,
  zeroAddress,
} from '../market-calls.ts'
import type { TaskState } from '../task-states.ts'
import { anEvaluation } from './create-task.ts'

/** As in the contract's enum. */
const verdicts = { approve: 1, reject: 2, partial: 3 } as const

export const assignEvaluator: TaskMaker = async (environment, { id, view }) => {
  const data = market('assignEvaluator', [id, anEvaluation(environment, view.requester)])
  return [await asActor(environment, view.requester, { data })]
}

export const evaluate: TaskMaker = async (environment, task) => {
  const { random } = environment
  const { escrow } = task.view
  const available = escrow - (escrow * BigInt(task.evaluation.feeBps)) / 10_000n
  // Before its expiry a contest can only be approved in full.
  const isEarly = isContest(task.mode) && environment.now < task.view.expiryTime && random.chance(0.8)
  const verdict = isEarly
    ? verdicts.approve
    : random.pick([verdicts.approve, verdicts.partial, verdicts.partial, verdicts.reject])
  const needsAwards = isContest(task.mode) || verdict === verdicts.partial || random.chance(0.5)
  const awards = verdict !== verdicts.reject && needsAwards ? someAwards(environment, task, available) : []
  const [first] = awards
  if (isEarly && first !== undefined) first.amount += available - awards.reduce((sum, { amount }) => sum + amount, 0n)
  const evidence = random.chance(0.5) ? random.word() : zeroHash
  const data = market('evaluate', [task.id, verdict, random.below(1001), random.below(1001), evidence, awards])
  return [await asActor(environment, task.evaluation.evaluator, { data })]
}

/** Mostly a worker who may appeal: the assigned one, or one with active submissions. */
export const appeal: TaskMaker = async (environment, task) => {
  const { random, logs } = environment
  const concerned = isContest(task.mode) ? listActiveWorkers(logs, task.id) : [task.view.worker]
  const worker = random.pick(random.chance(0.9) && concerned.length > 0 ? concerned : actorAddresses)
  return [await asActor(environment, worker, { data: market('appeal', [task.id]) })]
}

export const resolveDispute: TaskMaker = async (environment, task) => {
  const { random } = environment
  if (task.evaluation.resolver === zeroAddress) return []
  const awards = someAwards(environment, task, task.view.escrow)
  const data = market('resolveDispute', [task.id, random.pick([verdicts.approve, verdicts.partial]), awards])
  return [await asActor(environment, task.evaluation.resolver, { data })]
}

export const finalizeVerdict: TaskMaker = (environment, { id }) => [
  asAnyAccount(environment, market('finalizeVerdict', [id])),
]

export const evaluatorTimeout: TaskMaker = async (environment, { id, view }) => [
  await asActor(environment, view.requester, { data: market('evaluatorTimeout', [id]) }),
]

/** Awards of all or a part of the available amount. The ranks are in any order, sometimes without rank 1. */
function someAwards({ random, logs }: Environment, task: TaskState, available: bigint) {
  const candidates: Address[] = isContest(task.mode) ? listActiveWorkers(logs, task.id) : [task.view.worker]
  if (candidates.length === 0) return []
  const workers = random.some(candidates, 4)
  const lowest = random.chance(0.85) ? 1 : 2 + random.below(200)
  const ranks = random.some(
    workers.map((_, index) => lowest + index),
    1,
  )
  const [first = lowest] = ranks
  const share = available / BigInt(workers.length)
  return workers.map((worker, index) => ({
    worker,
    amount: random.chance(0.5) ? share : share / 2n,
    // Rotated by a random number of places.
    rank: lowest + ((first - lowest + index) % workers.length),
  }))
}
