import { expect } from 'vitest'
import { terminalStatuses } from '../../protocol/rules/task-status.ts'
import type { Random } from '../chain/indexer/random.ts'
import type { Action } from './actions.ts'
import { type Choose, fieldsOfCommand } from './commands.ts'
import { expectQueues, isSameOffer } from './expected-queues.ts'
import type { Offer, Scenario } from './scenario.ts'

/** Limits of actions that may be repeated. */
const atMost: Partial<Record<Action, number>> = { update: 1, submit: 3, submit_proof: 3, pitch: 3, bid: 4 }
/** Every task ends within this number of steps. */
const maxSteps = 40
/** Time from the last deadline until a task without an answer is announced, seconds. Interface, "Other rules". */
const staleNotice = 83n * 24n * 3600n
/** Deadlines this close are passed together, seconds. */
const TOGETHER = 120n
const deadlines = ['expiryTime', 'pitchDeadline', 'bidDeadline', 'evaluatorDeadline', 'appealDeadline'] as const

export interface OfferDrivenOptions<Name> {
  /** The actors that take offers to any worker. */
  workers: readonly Name[]
  random: Random
  /** Actions of earlier tasks: others are preferred. */
  tried: ReadonlySet<string>
  /** Fills the open words of a command. */
  choose: Choose
}

/**
 * Ends a task by its offers alone: at every step it takes an offer as the wallet it names, by the request that the
 * offer states (in the wallet's action queue, where it is there), or waits for the next deadline. Every offer it takes
 * must be admitted and mined, and at every step each wallet's queue is what the offers say. The task ends, its escrow is
 * empty, and every award is rated.
 * @returns its actions, in order
 */
export async function followOffers<Name extends string>(
  scenario: Scenario<Name>,
  { workers, random, choose, tried }: OfferDrivenOptions<Name>,
): Promise<string[]> {
  const done: string[] = []
  const count = (act: Action) => done.filter((step) => step.startsWith(`${act} `)).length
  const rejected = new Set<string>()
  for (let step = 0; step < maxSteps; step += 1) {
    const task = await scenario.task()
    const offers: Offer[] = task.pendingActions.filter(({ action }: Offer) => count(action) < (atMost[action] ?? 99))
    if (offers.length === 0 && terminalStatuses.includes(task.status)) return await expectEnded(scenario, done)
    const now = await scenario.now()
    const next = nextDeadline(task, offers, now)
    const possible = offers.filter(({ availableAfter }) => availableAfter === null || toSeconds(availableAfter) <= now)
    const queues = await expectQueues(scenario, { task, now })
    const choices = [...possible, ...(next === null ? [] : [next])]
    if (choices.length === 0) throw new Error(`${task.status}, and nothing is offered; after ${done.join(', ')}`)
    const choice = chooseFrom(choices, { tried, random })
    if (typeof choice === 'bigint') {
      await scenario.advanceTo(choice)
      done.push(`wait until ${choice}`)
      continue
    }
    // A worker without a submission has nothing to appeal for.
    const mayDo = (name: Name) =>
      choice.action !== 'appeal' ||
      done.some((step) => step === `submit by ${name}` || step === `submit_proof by ${name}`)
    const free = workers.filter(
      (name) => !rejected.has(scenario.actors[name].account.address.toLowerCase()) && mayDo(name),
    )
    const who = findWallet(scenario, choice, free.length === 0 ? undefined : random.pick(free))
    // An offer to any worker, and none is left.
    if (who === undefined) continue
    const fields = await fieldsOfCommand(choice, { task, as: scenario.actors[who], choose })
    const queued = queues.get(who)?.find((action) => isSameOffer(action, choice))
    await scenario.perform(who, choice.action, fields, (queued ?? choice).request)
    if (choice.action === 'reject_submission') rejected.add(String(fields.worker).toLowerCase())
    done.push(`${choice.action} by ${who}`)
  }
  throw new Error(`no end after ${done.join(', ')}`)
}

/**
 * Prefers progress: neither the end of a task before any entry, nor idle waiting; and of the rest what
 * was not done before.
 */
function chooseFrom(
  choices: readonly (Offer | bigint)[],
  { tried, random }: Pick<OfferDrivenOptions<string>, 'tried' | 'random'>,
): Offer | bigint {
  const onwards = choices.filter((choice) => typeof choice !== 'bigint' && choice.action !== 'cancel')
  const untried = onwards.filter((choice) => typeof choice !== 'bigint' && !tried.has(choice.action))
  if (untried.length > 0 && random.chance(0.5)) return random.pick(untried)
  return random.pick(onwards.length === 0 || random.chance(0.4) ? choices : onwards)
}

async function expectEnded<Name extends string>(scenario: Scenario<Name>, done: string[]): Promise<string[]> {
  const { status, phase, awards, submissionWindowOpen } = await scenario.task()
  expect({ phase, submissionWindowOpen }).toEqual({ phase: 'resolved', submissionWindowOpen: false })
  expect(awards.length > 0, `${status} with ${awards.length} awards`).toBe(status === 'completed')
  for (const { rating } of awards) expect(rating).not.toBeNull()
  await scenario.expectEmptyEscrow()
  return done
}

/** The next time at which something ends or begins. Null: none. */
function nextDeadline(task: Record<string, string | null>, offers: Offer[], now: bigint): bigint | null {
  const named = [
    ...deadlines.map((name) => task[name]),
    ...offers.flatMap(({ availableAfter, availableUntil }) => [availableAfter, availableUntil]),
  ]
  const times = named.flatMap((time) => (time === null || time === undefined ? [] : [toSeconds(time)]))
  const [last = 0n] = times.toSorted((one, other) => (one < other ? 1 : -1))
  const isOver = terminalStatuses.some((status) => status === task.status)
  const ahead = [...times, ...(isOver ? [] : [last + staleNotice])].filter((time) => time > now)
  const next = ahead.reduce<bigint | null>((least, time) => (least === null || time < least ? time : least), null)
  // What ends seconds later cannot be taken in between: it is passed at the same time.
  return next === null
    ? null
    : ahead.reduce((most, time) => (time < next + TOGETHER && time > most ? time : most), next)
}

/** The wallet that an offer names; else the given worker. */
function findWallet<Name extends string>(
  scenario: Scenario<Name>,
  offer: Offer,
  worker: Name | undefined,
): Name | undefined {
  if (offer.eligibleAddress === null) return worker
  const names = Object.keys(scenario.actors) as Name[]
  const who = names.find((name) => scenario.actors[name].account.address === offer.eligibleAddress)
  if (who === undefined) throw new Error(`${offer.action} is offered to ${offer.eligibleAddress}, which is no actor`)
  return who
}

function toSeconds(iso: string): bigint {
  return BigInt(Math.ceil(Date.parse(iso) / 1000))
}
