import type { Address, Hex } from 'viem'
import { zeroAddress } from 'viem'
import type { ActionArgs } from '../../../api/domain/actions/action-rules.ts'
import { admit, admitBy } from '../../../api/domain/actions/admit.ts'
import { assignEvaluator } from '../../../api/domain/actions/assign-evaluator.ts'
import { objectToDelivery } from '../../../api/domain/actions/object.ts'
import type { PendingAction } from '../../../api/domain/pending-action.ts'
import { listPendingActions } from '../../../api/domain/pending-actions.ts'
import type { Refusal } from '../../../api/domain/refusal.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Random } from '../indexer/random.ts'
import { allAttempts, type EvaluatedAction } from './attempts/all-attempts.ts'
import type { Occasion } from './attempts/attempt.ts'
import { evaluateAll } from './evaluate-calls.ts'

/** The results of rules and contract for the same requests. */
export interface Comparison {
  disagreements: Disagreement[]
  /** Number of agreements for each answer: `<action> admitted` or `<action> <failure>`. */
  agreed: Map<string, number>
  compared: number
}

/** Differences between service and chain. */
export interface Disagreement {
  fault: string
  action: EvaluatedAction
  actor: Address | null
  now: bigint
  args: unknown
  refusal: string | null
  task: TaskSnapshot
}

interface Request {
  action: EvaluatedAction
  actor: Address
  args: unknown
  isSensible: boolean
  data: Hex
  refusal: Refusal | null
}

/** Number of arguments tried for an action by an eligible account; one for other accounts. */
const ARGUMENTS_OF_THE_ELIGIBLE = 8

/** An empty comparison. */
export function startComparison(): Comparison {
  return { disagreements: [], agreed: new Map(), compared: 0 }
}

/**
 * Evaluates by rules and by contract the actions of every account on a task at one time. Every offered action must be
 * possible for an account, and every possible action must be offered and admitted; no other one.
 */
export async function compareRules(
  chain: MarketChain,
  { task, now, random, actors }: { task: TaskSnapshot; now: bigint; random: Random; actors: readonly Address[] },
  into: Comparison,
): Promise<void> {
  const requests = actors.flatMap((actor) => makeRequests({ task, actor, now, random }))
  const answers = await evaluateAll(chain, now, requests)
  const succeeded = requests.filter((_, index) => answers[index])
  const report = (fault: string, about: Partial<Request> & Pick<Request, 'action'>) => {
    const { action, actor = null, args = null, refusal = null } = about
    into.disagreements.push({ fault, action, actor, now, args, refusal: refusal?.failure ?? null, task })
  }

  for (const [index, request] of requests.entries()) {
    const { action, refusal } = request
    if (answers[index] === true && refusal !== null) report('refused by the rules, accepted by the chain', request)
    if (answers[index] === false && refusal === null) report('admitted by the rules, refused by the chain', request)
    const answer = `${action} ${refusal?.failure ?? 'admitted'}`
    into.agreed.set(answer, (into.agreed.get(answer) ?? 0) + 1)
  }
  into.compared += requests.length

  const offers = listPendingActions(task, now)
  for (const offer of offers) {
    // Announced for later: compared at its start time.
    if (offer.availableAfter !== null && offer.availableAfter > now) continue
    if (!succeeded.some((request) => fulfils(request, offer))) report('offered, but possible for no account', offer)
  }
  for (const request of succeeded) {
    if (request.action === 'object' || request.action === 'assign_evaluator') continue
    if (!offers.some((offer) => concerns(offer, request))) report('possible, but not offered', request)
  }
}

/** Whether a request takes the offer with its sensible arguments. */
function fulfils(request: Request, offer: PendingAction): boolean {
  const { targetWorker } = offer
  if (!request.isSensible || !concerns(offer, request)) return false
  return targetWorker === null || targetWorker === (request.args as { worker?: Address }).worker
}

function concerns({ action, eligibleAddress }: PendingAction, request: Request): boolean {
  return action === request.action && (eligibleAddress === null || eligibleAddress === request.actor)
}

function makeRequests(occasion: Occasion): Request[] {
  return (Object.keys(allAttempts) as EvaluatedAction[]).flatMap((action) => {
    const attempts = allAttempts[action]
    const toRequest = (args: unknown, isSensible: boolean): Request => ({
      action,
      args,
      isSensible,
      actor: occasion.actor,
      data: encodeMarketCall(zeroAddress, ...(attempts.call(occasion, args) as ['cancelTask', [Hex]])).data,
      refusal: evaluateRules(action, occasion, args),
    })
    const sensible = attempts.sensible(occasion).map((args) => toRequest(args, true))
    // Arguments are only relevant if the actor is eligible.
    const count = sensible.some(({ refusal }) => refusal === null) ? ARGUMENTS_OF_THE_ELIGIBLE : 1
    return [...sensible, ...Array.from({ length: count }, () => toRequest(attempts.any(occasion), false))]
  })
}

function evaluateRules(action: EvaluatedAction, { task, actor, now }: Occasion, args: unknown): Refusal | null {
  const request = { actor, now, args: args as never }
  if (action === 'object') return admitBy(objectToDelivery, task, request)
  if (action === 'assign_evaluator') return admitBy(assignEvaluator, task, request)
  return admit(action as keyof ActionArgs, task, request)
}

/** Actions that were admitted at least once, sorted. */
export function listAdmitted({ agreed }: Comparison): string[] {
  return [...agreed.keys()].flatMap((answer) => answer.match(/^(.*) admitted$/)?.[1] ?? []).toSorted()
}

/** Reasons for which some request was refused, sorted. */
export function listRefusals({ agreed }: Comparison): string[] {
  const reasons = [...agreed.keys()].flatMap((answer) => answer.split(' ')[1] ?? [])
  return [...new Set(reasons)].filter((reason) => reason !== 'admitted').toSorted()
}
