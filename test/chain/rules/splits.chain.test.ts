import { parseEventLogs } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { netRewardOf } from '../../../protocol/net-reward.ts'
import { splitFee, splitReward } from '../../../protocol/payouts.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { byDepth } from '../../support/depth.ts'
import { encodeMarketCall } from '../../support/market-call.ts'
import { encodeCall, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { type Bounty, createBounties, send } from './bounties.ts'
import { wallets } from './wallets.ts'

const SEED = 3009
const SPLITS_A_FEE = byDepth(50, 150)
const FEES_BPS = [0, 1, 333, 750, 2000]
const LARGEST = 1_000_000_000

let chain: MarketChain
let random: Random

beforeAll(async () => {
  chain = await openMarketChain()
  random = createRandom(SEED)
})

afterAll(async () => {
  await chain?.close()
})

test.each(FEES_BPS)(
  'given a fee of %i basis points, when rewards are split, then every amount is the contract’s',
  async (feeBps) => {
    const bounty = await anEnteredBounty(feeBps)
    for (let split = 0; split < SPLITS_A_FEE; split += 1) {
      const reward = 100_000n + BigInt(random.below(LARGEST))
      const winners = random.some(wallets, wallets.length)
      const shares = anyShares(winners.length)

      const paid = await settle(bounty, { reward, winners, shares })

      const expected = splitReward(reward, shares).map((grossAmount, index) => ({
        worker: winners[index],
        rank: index + 1,
        grossAmount,
        ...splitFee(grossAmount, feeBps),
      }))
      expect(paid).toEqual(expected)
    }
  },
)

test('given one winner, when it is paid, then it gets the net reward', async () => {
  const bounty = await anEnteredBounty(750)
  for (let round = 0; round < 50; round += 1) {
    const reward = 100_000n + BigInt(random.below(LARGEST))
    const [award] = await settle(bounty, { reward, winners: [random.pick(wallets)], shares: [10_000] })
    expect(award?.workerPayment).toBe(netRewardOf({ mode: 'bounty', reward, price: null, platformFeeBps: 750 }))
  }
})

/** A bounty of the smallest reward with a submission of every wallet, created under this platform fee. */
async function anEnteredBounty(feeBps: number): Promise<Bounty> {
  const { market } = chain.deployment
  const data = encodeCall(taskMarketAbi, 'setFeeBps', [feeBps])
  await chain.send({ from: devAccount('owner').account.address, to: market, data })
  await chain.mine()
  const terms = { requester: random.pick(wallets), reward: 1000n, duration: 86_400 }
  const [bounty] = await createBounties(chain, [terms])
  if (bounty === undefined) throw new Error('no bounty')
  for (const worker of wallets) {
    const deliverable = random.word()
    bounty.deliverables.set(worker, [deliverable])
    await send(chain, worker, 'submitWork', [bounty.id, deliverable])
  }
  await chain.mine()
  return bounty
}

/** Raises the reward and settles, in a block that is reverted; returns the logged payments. */
async function settle(
  bounty: Bounty,
  { reward, winners, shares }: { reward: bigint; winners: readonly (typeof wallets)[number][]; shares: number[] },
) {
  const { market } = chain.deployment
  const terms = { taskId: bounty.id, reward, expiryTime: 0, pitchDeadline: 0, bidDeadline: 0, clockPrice: 0n } as const
  const awarded = winners.map((worker, index) => ({
    worker,
    shareBps: shares[index] ?? 0,
    deliverable: bounty.deliverables.get(worker)?.[0] ?? '0x',
  }))
  const raise = encodeMarketCall(market, 'updateTask', [{ ...terms, contentHash: random.word() }])
  const accept = encodeMarketCall(market, 'acceptSubmissions', [bounty.id, awarded])
  const [block] = await chain.client.simulateBlocks({
    blocks: [{ calls: [raise, accept].map(({ target, data }) => ({ account: bounty.requester, to: target, data })) }],
  })
  const logs = (block?.calls ?? []).flatMap((call) => {
    if (call.status !== 'success') throw new Error('the settlement reverted', { cause: call.error })
    return call.logs ?? []
  })
  return parseEventLogs({ abi: taskMarketAbi, eventName: 'TaskCompleted', logs }).map(({ args }) => ({
    worker: args.worker.toLowerCase(),
    rank: args.rank,
    grossAmount: args.grossAmount,
    workerPayment: args.workerPayment,
    platformFee: args.platformFee,
  }))
}

/** Shares that sum to exactly 10000, some of them tiny. */
function anyShares(count: number): number[] {
  const others = Array.from({ length: count - 1 }, () => 1 + random.below(random.chance(0.3) ? 3 : 1900))
  return [10_000 - others.reduce((sum, share) => sum + share, 0), ...others]
}
