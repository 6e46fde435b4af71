import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { encodeMarketCall } from '../../../api/chain/market-call.ts'
import { leastPriceOf } from '../../../api/domain/actions/auction-accept.ts'
import { clockOf, clockPriceAt } from '../../../api/domain/clock-price.ts'
import type { TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { devAccount } from '../../../scripts/stack/dev-accounts.ts'
import { encodeCall, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom, type Random } from '../indexer/random.ts'
import { fillWithBids, makeAuctions, readAuction } from './auctions.ts'
import { wallets } from './bounties.ts'
import { compare, listAdmitted, listRefusals } from './compare.ts'
import type { ChainRequest } from './requests.ts'
import { succeeds } from './succeeds.ts'

const SEED = 500
const AUCTIONS = 60
const REQUESTS_A_MOMENT = 3

let chain: MarketChain
let random: Random

beforeAll(async () => {
  chain = await openMarketChain()
  random = createRandom(SEED)
})

afterAll(async () => {
  await chain?.close()
})

const edgesOf = (time: bigint) => [time - 1n, time, time + 1n]
const momentsOf = ({ createdAt, bidDeadline, expiryTime }: TaskSnapshot) => {
  const deadline = bidDeadline ?? expiryTime
  return [...edgesOf(deadline), ...edgesOf(expiryTime), createdAt + BigInt(random.below(Number(deadline - createdAt)))]
}

/** At each moment that matters requests of every action, held against everything that could refuse them. */
function requestsOf(task: TaskSnapshot): ChainRequest[] {
  return momentsOf(task)
    .flatMap((now) =>
      Array.from({ length: REQUESTS_A_MOMENT }, () => [
        aBid(task, now),
        anAcceptance(task, now),
        aSelection(task, now),
      ]),
    )
    .flat()
}

/** Whoever judges the task tries, too. */
const anActor = ({ evaluator, disputeResolver }: TaskSnapshot) =>
  random.pick([...wallets, evaluator ?? random.pick(wallets), disputeResolver ?? random.pick(wallets)])

function aBid(task: TaskSnapshot, now: bigint): ChainRequest {
  const actor = anActor(task)
  const own = task.entries.get(actor)?.bid ?? task.reward
  const edge = random.pick([task.reward, task.lowestBid ?? task.reward, own, 1n])
  const price = edge + random.pick([-1n, 0n, 1n])
  const { data } = encodeMarketCall(zeroAddress, 'submitBid', [task.id, price])
  return { action: 'bid', actor, now, args: { price }, data }
}

function anAcceptance(task: TaskSnapshot, now: bigint): ChainRequest {
  const [actor, clock] = [anActor(task), clockOf(task)]
  const price = clock === null ? 1n : clockPriceAt(clock, now)
  const minPrice = random.pick([null, 0n, price - 1n, price, price + 1n, task.reward]) ?? undefined
  const { data } = encodeMarketCall(zeroAddress, 'acceptAuction', [task.id, minPrice ?? 0n])
  return { action: 'auction_accept', actor, now, args: { minPrice }, data }
}

function aSelection(task: TaskSnapshot, now: bigint): ChainRequest {
  const { data } = encodeMarketCall(zeroAddress, 'selectLowestBidder', [task.id])
  return { action: 'select_winner', actor: random.pick(wallets), now, args: {}, data }
}

const readAll = async (ids: Awaited<ReturnType<typeof makeAuctions>>) =>
  Promise.all(ids.map((id) => readAuction(chain, id)))

test('given auctions in every state, when rules and contract judge requests, then they agree', async () => {
  const tasks = await readAll(await makeAuctions(chain, random, AUCTIONS))

  const comparison = await compare(chain, tasks, requestsOf)

  expect(comparison.disagreements).toEqual([])
  expect([...new Set(tasks.map(({ status }) => status))].toSorted()).toEqual(['cancelled', 'claimed', 'open'])
  expect(new Set(tasks.filter(({ bidCount }) => bidCount > 1).map(({ auctionType }) => auctionType)).size).toBe(2)
  expect(listAdmitted(comparison)).toEqual(['auction_accept', 'bid', 'select_winner'])
  expect(listRefusals(comparison)).toEqual(
    [
      ...['bid_not_lower', 'bid_too_high', 'invalid_price', 'judge_cannot_enter', 'no_bids'],
      ...['price_below_minimum', 'too_early', 'too_late', 'wrong_mode', 'wrong_status'],
    ].toSorted(),
  )
})

test('given 499 and 500 bids, when somebody bids again, then the last one is taken and no more', async () => {
  for (const auctionType of ['english', 'reverse_english'] as const) {
    for (const [bids, answer] of [
      [499, 'bid admitted'],
      [500, 'bid bid_limit_reached'],
    ] as const) {
      const task = await readAuction(chain, await fillWithBids(chain, auctionType, bids))
      expect(task.bidCount).toBe(bids)
      const [actor = zeroAddress, price] = [wallets[2], 1n]
      const { data } = encodeMarketCall(zeroAddress, 'submitBid', [task.id, price])
      const request: ChainRequest = { action: 'bid', actor, now: task.createdAt + 1n, args: { price }, data }
      const { disagreements, agreed } = await compare(chain, [task], () => [request])
      expect({ disagreements, agreed: [...agreed.keys()] }).toEqual({ disagreements: [], agreed: [answer] })
    }
  }
})

test('given a clock, when it is accepted without a minimum, then it never refuses while the payment is valid', async () => {
  const tasks = await readAll(await makeAuctions(chain, random, 24))
  const clocks = tasks.filter((task) => task.status === 'open' && clockOf(task) !== null)
  expect(clocks.length).toBeGreaterThan(4)
  for (const task of clocks) {
    const actor = wallets.find((wallet) => wallet !== task.evaluator && wallet !== task.disputeResolver) ?? zeroAddress
    for (const now of momentsOf(task).filter((moment) => moment < task.expiryTime)) {
      const least = leastPriceOf(task, { now, validSeconds: 600n })
      const { data } = encodeMarketCall(zeroAddress, 'acceptAuction', [task.id, least])
      for (const later of [0n, 1n, 599n, 600n].map((seconds) => now + seconds)) {
        if (later < task.expiryTime) expect(await succeeds(chain, { actor, data, now: later })).toBe(true)
      }
    }
  }
})

test('given the market is paused, when they judge again, then they agree: a winner is still selected', async () => {
  const ids = await makeAuctions(chain, random, 24)
  await chain.send({
    from: devAccount('owner').account.address,
    to: chain.deployment.market,
    data: encodeCall(taskMarketAbi, 'pause', []),
  })
  await chain.mine()

  const comparison = await compare(chain, await readAll(ids), requestsOf)

  expect(comparison.disagreements).toEqual([])
  expect(listAdmitted(comparison)).toEqual(['select_winner'])
  expect([...comparison.agreed.keys()]).toEqual(
    expect.arrayContaining(['bid market_paused', 'auction_accept market_paused']),
  )
})
