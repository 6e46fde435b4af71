import { type Address, numberToHex, zeroAddress } from 'viem'
import { toAuctionSelector, toModeSelector } from '../../../protocol/rules/selectors.ts'
import { direct, market } from '../indexer/market-calls.ts'
import type { Call, MarketChain } from '../indexer/market-chain.ts'
import type { Random } from '../indexer/random.ts'
import type { StateOfTask } from './task-states.ts'
import { wallets } from './wallets.ts'

/** Rewards in base units: some too small for some shares, stakes and fees. */
const rewards = [1000n, 1001n, 9999n, 123_457n, 5_000_000n]
const stakeRates = [0, 1, 1234, 10_000]

/**
 * The creation of a task that can reach a state. It is short, so that its deadlines pass. Its first content is a
 * number, which identifies it in the logs.
 */
export function createTask(chain: MarketChain, random: Random, task: { state: StateOfTask; number: number }): Call {
  const { state, number } = task
  const requester = random.pick(wallets)
  const reward = random.pick(rewards)
  const duration = 300 + random.below(3000)
  const params = {
    mode: toModeSelector(state.mode),
    auctionType: state.auctionType === null ? '0x00000000' : toAuctionSelector(state.auctionType),
    reward,
    duration,
    ...modeTerms(random, state, { reward, duration }),
    contentHash: numberToHex(number, { size: 32 }),
    tags: Array.from({ length: random.below(3) }, () => random.word()),
    listed: true,
    evaluation: evaluationTerms(random, state, requester),
    hooks: [],
    hookData: '0x',
  }
  return direct(chain, requester, market('createTask', [params]))
}

function modeTerms(
  random: Random,
  { mode, auctionType }: StateOfTask,
  { reward, duration }: { reward: bigint; duration: number },
) {
  const isClock = auctionType === 'dutch' || auctionType === 'reverse_dutch'
  // Zero: until the expiry. Bids must end at least one second before it.
  const anyDuration = random.pick([1, 1 + random.below(duration), 1 + random.below(duration), duration, 0])
  const anyEarlier = random.pick([1 + random.below(duration >> 2), 1 + random.below(duration - 1), duration - 1])
  return {
    stakeBps: mode === 'claim' ? random.pick(stakeRates) : 0,
    pitchDuration: mode === 'pitch' ? anyDuration : 0,
    bidDuration: mode !== 'auction' ? 0 : isClock ? anyDuration : anyEarlier,
    clockPrice: isClock ? random.pick([1n, reward, 1n + BigInt(random.below(Number(reward)))]) : 0n,
  }
}

function evaluationTerms(random: Random, { decides, status }: StateOfTask, requester: Address) {
  if (decides === 'requester') return noEvaluation
  const evaluator = random.pick(wallets.filter((wallet) => wallet !== requester))
  const others = wallets.filter((wallet) => wallet !== requester && wallet !== evaluator)
  return {
    evaluator,
    resolver: status === 'disputed' || random.chance(0.6) ? random.pick(others) : zeroAddress,
    feeBps: random.pick([0, 1, 999, 9250]),
    evaluationWindow: 1 + random.below(1200),
    appealWindow: 300 + random.pick([0, random.below(600)]),
  }
}

const noEvaluation = { evaluator: zeroAddress, resolver: zeroAddress, feeBps: 0, evaluationWindow: 0, appealWindow: 0 }
