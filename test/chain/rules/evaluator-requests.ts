import { type Address, zeroAddress, zeroHash } from 'viem'
import { encodeMarketCall } from '../../../api/chain/market-call.ts'
import type { ActionArgs } from '../../../api/domain/actions/action-rules.ts'
import { contestEvaluationEnd } from '../../../api/domain/actions/evaluate.ts'
import { partOf } from '../../../api/domain/fees.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import type { Random } from '../indexer/random.ts'
import { wallets } from './bounties.ts'
import { type ChainRequest, makeRequests } from './requests.ts'
import { someAwards } from './verdicts.ts'

/** Call data does not depend on where it goes. */
const market = zeroAddress
const contractVerdict = { approve: 1, reject: 2, partial: 3 } as const
/** What an evaluator takes out of the requester's hands. */
const decisions = ['accept', 'accept_submissions', 'reject_submission', 'cancel', 'refund_expired', 'submit', 'object']

/** Requests of the whole evaluator flow, and of what it gets in the way of, at every edge of a task's time. */
export function makeEvaluatorRequests(task: TaskSnapshot, random: Random, times: number): ChainRequest[] {
  const moments = edgesOf(task)
  const requests = Array.from({ length: times }, () =>
    makers.map((make) => make({ task, random, ...occasionOf(make, { task, random, moments }) })),
  ).flat()
  const others = makeRequests(task, random, 1).filter(({ action }) => decisions.includes(action))
  return [...requests, ...others]
}

interface Occasion {
  task: TaskSnapshot
  actor: Address
  now: bigint
  random: Random
}

const evaluate = ({ task, actor, now, random }: Occasion): ChainRequest => {
  const available = task.escrow - partOf(task.escrow, task.evaluatorFeeBps ?? 0)
  const awards = someAwards(task, random, { available })
  const usual = awards.length === 0 ? (['reject', 'approve'] as const) : (['approve', 'partial'] as const)
  const verdict = random.chance(0.15) ? random.pick(['approve', 'reject', 'partial'] as const) : random.pick(usual)
  const [score = 0, confidence = 0] = [random, random].map(() => (random.chance(0.05) ? 1001 : random.below(1001)))
  return {
    ...{ action: 'evaluate', actor, now, args: { verdict, score, confidence, awards } },
    data: encodeMarketCall(market, 'evaluate', [
      ...([task.id, contractVerdict[verdict], score, confidence, zeroHash, awards] as const),
    ]).data,
  }
}

const resolveDispute = ({ task, actor, now, random }: Occasion): ChainRequest => {
  const args: ActionArgs['resolve_dispute'] = {
    verdict: random.pick(['approve', 'partial'] as const),
    awards: someAwards(task, random, { available: task.escrow }),
  }
  return {
    ...{ action: 'resolve_dispute', actor, now, args },
    data: encodeMarketCall(market, 'resolveDispute', [task.id, contractVerdict[args.verdict], args.awards]).data,
  }
}

const appeal = ({ task, actor, now }: Occasion): ChainRequest => ({
  ...{ action: 'appeal', actor, now, args: {} },
  data: encodeMarketCall(market, 'appeal', [task.id]).data,
})

const finalizeVerdict = ({ task, actor, now }: Occasion): ChainRequest => ({
  ...{ action: 'finalize_verdict', actor, now, args: {} },
  data: encodeMarketCall(market, 'finalizeVerdict', [task.id]).data,
})

const evaluatorTimeout = ({ task, actor, now }: Occasion): ChainRequest => ({
  ...{ action: 'evaluator_timeout', actor, now, args: {} },
  data: encodeMarketCall(market, 'evaluatorTimeout', [task.id]).data,
})

const makers = [evaluate, resolveDispute, appeal, finalizeVerdict, evaluatorTimeout]

/** The second before, of and after every deadline the task has. */
function edgesOf(task: TaskSnapshot): bigint[] {
  const deadlines = [
    ...[task.evaluatorDeadline, task.appealDeadline, task.resolutionDeadline],
    ...[contestEvaluationEnd(task), task.expiryTime],
  ]
  return deadlines.flatMap((deadline) => (deadline === null ? [] : [deadline - 1n, deadline, deadline + 1n]))
}

/** Often who may act while he may: what is wrong with a request then is in what it asks for. */
function occasionOf(
  make: (typeof makers)[number],
  { task, random, moments }: { task: TaskSnapshot; random: Random; moments: bigint[] },
) {
  const { evaluator, disputeResolver, evaluatorDeadline, resolutionDeadline } = task
  if (make === evaluate && evaluator !== null && random.chance(0.6)) {
    return { actor: evaluator, now: (evaluatorDeadline ?? task.expiryTime) - 1n }
  }
  if (make === resolveDispute && disputeResolver !== null && resolutionDeadline !== null && random.chance(0.6)) {
    return { actor: disputeResolver, now: resolutionDeadline - 1n }
  }
  return { actor: someActor(task, random), now: random.pick(moments) }
}

/** Mostly somebody with a part in the flow. */
function someActor(task: TaskSnapshot, random: Random): Address {
  const parts = [task.evaluator, task.disputeResolver, task.requester, task.worker, ...task.entries.keys()]
  const present = parts.filter((wallet) => wallet !== null)
  return random.chance(0.85) ? random.pick(present) : random.pick(wallets)
}
