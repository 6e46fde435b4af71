import { type Address, type Hex, padHex, zeroHash } from 'viem'
import {
  type AuctionType,
  auctionTypes,
  type TaskMode,
  taskModes,
  toAuctionSelector,
  toModeSelector,
} from '../../../../protocol/rules/selectors.ts'
import { actors, direct, type Environment, type Maker, market, zeroAddress } from '../market-calls.ts'
import type { Random } from '../random.ts'
import { payThenAct, relayPaid } from '../relayed-call.ts'
import { hookAddresses } from '../scripted-hooks.ts'

/** A task of any mode, with or without evaluator and hooks. Most are short, so that their deadlines pass. */
export const createTask: Maker = async ({ chain, random }) => {
  const actor = random.pick(actors)
  const reward = BigInt(1000 + random.below(5_000_000))
  const data = market('createTask', [aTask(random, actor.account.address, reward)])
  const payment = { amount: reward, escrow: reward, nonce: random.word() }
  const relay = { chain, intentId: random.word(), actor, data }
  const way = random.below(4)
  if (way === 0) return [await relayPaid(relay, payment)]
  if (way === 1) return payThenAct(relay, { ...payment, isRefunded: random.chance(0.4) })
  return [direct(chain, actor.account.address, data)]
}

/** Terms of an evaluator; sometimes the same account in both roles, which the market refuses. */
export function anEvaluation({ random }: Pick<Environment, 'random'>, requester: Address) {
  const others = actors.map(({ account }) => account.address).filter((address) => address !== requester)
  return {
    evaluator: random.pick(others),
    resolver: random.chance(0.8) ? random.pick(others) : zeroAddress,
    feeBps: random.pick([0, 100, random.below(3000)]),
    evaluationWindow: 600 + random.below(3000),
    appealWindow: 300 + random.below(900),
  }
}

/** Terms of a task of any mode. */
export function aTask(random: Random, requester: Address, reward: bigint) {
  // Claims and auctions have more states than the others.
  const mode = random.pick([...taskModes, 'claim', 'auction', 'auction'] as const)
  const auctionType = mode === 'auction' ? random.pick(auctionTypes) : null
  const duration = random.chance(0.9) ? 1200 + random.below(9000) : 86_400
  return {
    mode: toModeSelector(mode),
    auctionType: auctionType === null ? '0x00000000' : toAuctionSelector(auctionType),
    reward,
    duration,
    contentHash: random.chance(0.8) ? random.word() : zeroHash,
    tags: Array.from({ length: random.below(4) }, () => aTag(random.word())),
    listed: random.chance(0.7),
    evaluation: random.chance(0.5) ? anEvaluation({ random }, requester) : noEvaluation,
    hooks: random.chance(0.4) ? random.some(Object.values(hookAddresses), 3) : [],
    hookData: random.chance(0.5) ? random.word() : '0x',
    ...modeTerms(random, { mode, auctionType, duration, reward }),
  }
}

/** One of eight tags: tasks share them, and some name one twice. */
function aTag(word: Hex): Hex {
  return padHex(`0x${Number(BigInt(word) % 8n)}`)
}

function modeTerms(
  random: Random,
  task: { mode: TaskMode; auctionType: AuctionType | null; duration: number; reward: bigint },
) {
  const isClock = task.auctionType === 'dutch' || task.auctionType === 'reverse_dutch'
  const isBidding = task.auctionType !== null && !isClock
  const mayWait = task.mode === 'pitch' || isClock
  const entryDuration = isBidding
    ? 600 + random.below(task.duration - 600)
    : mayWait && random.chance(0.6)
      ? 1 + random.below(task.duration)
      : 0
  return {
    stakeBps: task.mode === 'claim' && random.chance(0.7) ? 1 + random.below(10_000) : 0,
    pitchDuration: task.mode === 'pitch' ? entryDuration : 0,
    bidDuration: task.mode === 'auction' ? entryDuration : 0,
    clockPrice: isClock ? 1n + BigInt(random.below(Number(task.reward))) : 0n,
  }
}

const noEvaluation = {
  evaluator: zeroAddress,
  resolver: zeroAddress,
  feeBps: 0,
  evaluationWindow: 0,
  appealWindow: 0,
}
