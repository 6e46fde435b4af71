import { expect } from 'vitest'
import type { Action } from './actions.ts'
import type { Offer, Scenario } from './scenario.ts'

/** Actions that are work of the requester, also where other accounts may take them. Interface, "Agents, inbox, action queue". */
const ofRequester: readonly Action[] = [
  'accept',
  'accept_submissions',
  'reject_submission',
  'evaluator_timeout',
  'select_worker',
  'refund_expired',
  'forfeit',
  'settle_stale',
  'finalize_verdict',
  'rate',
  'select_winner',
]
/** Actions that are work of the wallet that they name, in this role. */
const ofNamed: Partial<Record<Action, string>> = {
  submit: 'worker',
  submit_proof: 'worker',
  appeal: 'worker',
  evaluate: 'evaluator',
  resolve_dispute: 'dispute_resolver',
}
/** Actions that any account may take, and the states in which they are work of the assigned worker too. */
const ofAssigned: Partial<Record<Action, readonly string[]>> = {
  settle_stale: ['pending_approval', 'review'],
  finalize_verdict: ['appealing', 'disputed'],
}
const contests: readonly string[] = ['bounty', 'benchmark']

// biome-ignore lint/suspicious/noExplicitAny: a task in full.
type Task = any

/**
 * Of every wallet, its own action queue has the offers of the task that are possible now and concern it, each once and
 * as the task states it, and nothing else.
 * @returns the actions in each queue
 */
export async function expectQueues<Name extends string>(
  scenario: Scenario<Name>,
  { task, now }: { task: Task; now: bigint },
): Promise<Map<Name, Offer[]>> {
  const possible: Offer[] = task.pendingActions.filter(
    ({ availableAfter }: Offer) =>
      availableAfter === null || BigInt(Math.ceil(Date.parse(availableAfter) / 1000)) <= now,
  )
  const names = Object.keys(scenario.actors) as Name[]
  const answers = await Promise.all(names.map(async (name) => ({ name, items: (await scenario.queue(name)).items })))
  const queues = new Map<Name, Offer[]>()
  for (const { name, items } of answers) {
    const wallet = scenario.actors[name].account.address
    const found = items.flatMap(({ role, actions }) => actions.map((action) => ({ role, action })))
    // The command may name a worker that other callers are not told of.
    for (const { action, paymentAmount, availableUntil, targetWorker, request } of found.map(({ action }) => action)) {
      const stated = { action, paymentAmount, availableUntil, targetWorker, request }
      expect(possible).toContainEqual(expect.objectContaining(stated))
    }
    const describe = (role: string, { action, targetWorker }: Offer) => `${role} ${action} ${targetWorker ?? ''}`
    const expected = new Set(
      possible.flatMap((offer) => rolesOf(offer, { task, wallet }).map((role) => describe(role, offer))),
    )
    // Who leads an auction, who is awarded by a verdict, and who entered a contest is not all in the task.
    const isOpenToWorkers = (role: string, { action, eligibleAddress }: Offer) =>
      role === 'worker' && eligibleAddress === null && ['select_winner', 'finalize_verdict', 'appeal'].includes(action)
    const certain = found.filter(
      ({ role, action }) => expected.has(describe(role, action)) || !isOpenToWorkers(role, action),
    )
    expect({ name, queue: certain.map(({ role, action }) => describe(role, action)).sort() }).toEqual({
      name,
      queue: [...expected].sort(),
    })
    queues.set(
      name,
      found.map(({ action }) => action),
    )
  }
  return queues
}

/** Whether two offers are the same act. */
export function isSameOffer(one: Offer, other: Offer): boolean {
  return one.action === other.action && one.targetWorker === other.targetWorker
}

/** The roles in which an offer is certainly work of a wallet. */
function rolesOf({ action, eligibleAddress }: Offer, { task, wallet }: { task: Task; wallet: string }): string[] {
  const isFor = eligibleAddress === null || eligibleAddress === wallet
  const roles = ofRequester.includes(action) && isFor && task.requester === wallet ? ['requester'] : []
  const named = ofNamed[action]
  if (named !== undefined && eligibleAddress === wallet) roles.push(named)
  const isAssigned = task.claimedBy === wallet && !contests.includes(task.mode)
  if (isAssigned && ofAssigned[action]?.includes(task.status)) roles.push('worker')
  return roles
}
