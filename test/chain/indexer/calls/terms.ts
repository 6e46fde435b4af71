import { zeroHash } from 'viem'
import { asActor, asAnyAccount, direct, market, type TaskMaker } from '../market-calls.ts'
import { withBytes } from '../relayed-call.ts'

/** New terms; sometimes terms of another mode, which are refused. */
export const updateTask: TaskMaker = async (environment, { id, mode, auctionType, view }) => {
  const { random, now } = environment
  const isClock = auctionType === 'dutch' || auctionType === 'reverse_dutch'
  const reward = random.chance(0.6) ? BigInt(1000 + random.below(5_000_000)) : 0n
  const params = {
    taskId: id,
    reward,
    expiryTime: random.chance(0.6) ? Math.max(view.expiryTime, now) + random.below(7200) - 1200 : 0,
    pitchDeadline: mode === 'pitch' && random.chance(0.3) ? view.pitchDeadline + random.below(900) - 300 : 0,
    bidDeadline: mode === 'auction' && random.chance(0.3) ? view.bidDeadline + random.below(900) - 300 : 0,
    clockPrice: isClock && random.chance(0.3) ? 1n + BigInt(random.below(Number(view.reward))) : 0n,
    contentHash: random.chance(0.3) ? random.word() : zeroHash,
  }
  const escrow = reward > view.reward ? reward - view.reward : 0n
  return [await asActor(environment, view.requester, { data: market('updateTask', [params]), escrow })]
}

export const cancelTask: TaskMaker = async (environment, { id, view }) => [
  await asActor(environment, view.requester, { data: market('cancelTask', [id]) }),
]

export const refundExpired: TaskMaker = async (environment, { id, view }) => {
  const caller = environment.random.chance(0.5)
    ? view.requester
    : environment.random.pick(environment.tasks).view.requester
  return [await asActor(environment, caller, { data: market('refundExpired', [id]) })]
}

export const settleStale: TaskMaker = (environment, { id }) => [asAnyAccount(environment, market('settleStale', [id]))]

export const rateTask: TaskMaker = ({ chain, random, logs }, { id, view }) => {
  const award = random.pick([...logs.awards.filter(({ taskId, isRated }) => taskId === id && !isRated), null])
  if (award === null) return []
  const params = {
    taskId: id,
    worker: award.worker,
    rating: random.below(101),
    raterAgentId: BigInt(random.below(3)),
    workerAgentId: BigInt(random.below(3)),
    hasAgent: random.chance(0.5),
    feedbackURI: 'feedback://well-formed-then-HOSTILE',
    feedbackHash: random.word(),
  }
  // NUL, a lone continuation byte, an overlong form and a surrogate: invalid UTF-8, but the contract accepts any bytes.
  const hostile = { placeholder: 'HOSTILE', hostile: '0x0080c0aeeda080' } as const
  return [direct(chain, view.requester, withBytes(market('rateTask', [params]), hostile))]
}
