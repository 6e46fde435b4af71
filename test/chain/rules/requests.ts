import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { encodeMarketCall } from '../../../api/chain/market-call.ts'
import type { ActionArgs } from '../../../api/domain/actions/action-rules.ts'
import type { NoArgs } from '../../../api/domain/actions/cancel.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { termsHashOf } from '../../../api/domain/terms-hash.ts'
import type { Random } from '../indexer/random.ts'
import { aRating, wallets } from './bounties.ts'

/** A request of an action, as the rules see it and as the contract does. */
export type ChainRequest = {
  [Action in keyof JudgedArgs]: { action: Action; actor: Address; now: bigint; args: JudgedArgs[Action]; data: Hex }
}[keyof JudgedArgs]

/** Everything there are rules for; an objection is never offered, but admitted by a rule like the others. */
interface JudgedArgs extends ActionArgs {
  object: NoArgs
}

/** Call data does not depend on where it goes. */
const market = zeroAddress

/** What a request is made for. */
interface Occasion {
  task: TaskSnapshot
  actor: Address
  now: bigint
  random: Random
}

type Maker = (occasion: Occasion) => ChainRequest

/** Mostly on the terms as they are; on none in particular, the service names the present ones. */
const claim: Maker = ({ task, actor, now, random }) => {
  const present = termsHashOf(task) ?? zeroHash
  const termsHash = random.chance(0.5) ? undefined : random.pick([present, present, random.word()])
  return {
    ...{ action: 'claim', actor, now, args: { worker: actor, termsHash } },
    data: encodeMarketCall(market, 'claimTask', [task.id, termsHash ?? present]).data,
  }
}

const forfeit: Maker = ({ task, actor, now }) => ({
  ...{ action: 'forfeit', actor, now, args: {} },
  data: encodeMarketCall(market, 'forfeitAndReopen', [task.id]).data,
})

const object: Maker = ({ task, actor, now }) => ({
  ...{ action: 'object', actor, now, args: {} },
  data: encodeMarketCall(market, 'objectToDelivery', [task.id]).data,
})

const submit: Maker = ({ task, actor, now, random }) => ({
  ...{ action: 'submit', actor, now, args: { worker: actor } },
  data: encodeMarketCall(market, 'submitWork', [task.id, random.word()]).data,
})

const accept: Maker = ({ task, actor, now, random }) => {
  const worker = aWorker(task, random)
  return {
    ...{ action: 'accept', actor, now, args: { worker } },
    data: encodeMarketCall(market, 'acceptSubmission', [task.id, worker, latestOf(task, worker)]).data,
  }
}

const acceptSubmissions: Maker = ({ task, actor, now, random }) => {
  const workers = random.some(standingOrAll(task, random), 4)
  const shares = sharesFor(workers.length, random)
  const winners = workers.map((worker, index) => ({ worker, shareBps: shares[index] ?? 0 }))
  if (random.chance(0.1)) winners.push({ worker: random.pick(workers), shareBps: 0 })
  const awarded = winners.map((winner) => ({ ...winner, deliverable: latestOf(task, winner.worker) }))
  return {
    ...{ action: 'accept_submissions', actor, now, args: { winners } },
    data: encodeMarketCall(market, 'acceptSubmissions', [task.id, awarded]).data,
  }
}

const rejectSubmission: Maker = ({ task, actor, now, random }) => {
  const worker = random.pick(wallets)
  return {
    ...{ action: 'reject_submission', actor, now, args: { worker } },
    data: encodeMarketCall(market, 'rejectSubmissions', [task.id, [worker]]).data,
  }
}

/** A decade of 365 days, the longest an expiry may lie ahead. */
const TEN_YEARS = 315_360_000n

const update: Maker = ({ task, actor, now, random }) => {
  const { reward: present, expiryTime: expiry } = task
  const rewards = [present, present + 1n, present - 1n, 999n, 1000n, present * 2n]
  const reward = random.chance(0.4) ? undefined : random.pick(rewards)
  const expiryTimes = [expiry, expiry + 1n, expiry - 1n, now, now + 1n, now + TEN_YEARS, now + TEN_YEARS + 1n]
  const expiryTime = random.chance(0.4) ? undefined : random.pick(expiryTimes)
  const pitchDeadline = random.chance(0.05) ? now + 10n : undefined
  const textsChange = random.chance(0.3)
  const params = {
    taskId: task.id,
    reward: reward ?? 0n,
    expiryTime: Number(expiryTime ?? 0n),
    pitchDeadline: Number(pitchDeadline ?? 0n),
    bidDeadline: 0,
    clockPrice: 0n,
    contentHash: textsChange ? random.word() : zeroHash,
  }
  return {
    ...{ action: 'update', actor, now, args: { reward, expiryTime, pitchDeadline, textsChange } },
    data: encodeMarketCall(market, 'updateTask', [params]).data,
  }
}

const cancel: Maker = ({ task, actor, now }) => ({
  ...{ action: 'cancel', actor, now, args: {} },
  data: encodeMarketCall(market, 'cancelTask', [task.id]).data,
})

const refundExpired: Maker = ({ task, actor, now }) => ({
  ...{ action: 'refund_expired', actor, now, args: {} },
  data: encodeMarketCall(market, 'refundExpired', [task.id]).data,
})

const rate: Maker = ({ task, actor, now, random }) => {
  const worker = aWorker(task, random)
  return {
    ...{ action: 'rate', actor, now, args: { worker } },
    data: encodeMarketCall(market, 'rateTask', [aRating(task.id, worker)]).data,
  }
}

const makers: readonly Maker[] = [
  claim,
  forfeit,
  object,
  submit,
  accept,
  acceptSubmissions,
  rejectSubmission,
  update,
  cancel,
  refundExpired,
  rate,
]

/** Requests of every action at every edge of a task's time, each `times` times with other arguments. */
export function makeRequests(task: TaskSnapshot, random: Random, times: number): ChainRequest[] {
  const moments = [task.expiryTime - 1n, task.expiryTime, task.expiryTime + 1n]
  return Array.from({ length: times }, () =>
    makers.map((make) => {
      const actor = random.chance(0.5) ? task.requester : random.pick([...wallets, task.worker ?? task.requester])
      return make({ task, actor, now: random.pick(moments), random })
    }),
  ).flat()
}

/** Anybody; where one worker is assigned, often that one. */
function aWorker(task: TaskSnapshot, random: Random): Address {
  return task.worker !== null && random.chance(0.4) ? task.worker : random.pick(wallets)
}

/** What the service would pay for; a worker without any gets something that nobody committed. */
function latestOf({ entries }: TaskSnapshot, worker: Address): Hex {
  return entries.get(worker)?.latestDeliverable ?? `0x${'99'.repeat(32)}`
}

/** Mostly those whose work stands, so that many a split is valid. */
function standingOrAll({ entries }: TaskSnapshot, random: Random): readonly Address[] {
  const standing = [...entries].filter(([, entry]) => entry.activeSubmissionCount > 0).map(([worker]) => worker)
  return standing.length > 0 && random.chance(0.8) ? standing : wallets
}

/** Shares of which most sum to 10000, some of them tiny. */
function sharesFor(count: number, random: Random): number[] {
  const tiny = Array.from({ length: count - 1 }, () => (random.chance(0.3) ? random.below(3) : 1 + random.below(2500)))
  const rest = 10_000 - tiny.reduce((sum, share) => sum + share, 0)
  return random.chance(0.85) ? [...tiny, rest] : [...tiny, rest + random.pick([-1, 1])]
}
