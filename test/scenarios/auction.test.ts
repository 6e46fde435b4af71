import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { toBidId } from '../../protocol/rules/row-ids.ts'
import { openEnvironment } from '../support/conformance.ts'
import { anAuctionTask } from '../support/conformance-fixtures.ts'
import { startScenario } from './scenario.ts'

const environment = openEnvironment()

const anyBid = 'bid by any worker for 1000'
const anyAcceptance = 'auction_accept by any worker for 1000'
const anySelection = 'select_winner by anyone'
const cancel = 'cancel by requester for 1000'
const update = 'update by requester for 1000'

/** The contract's price at the newest block. */
async function priceOnChain(taskId: Hex): Promise<string> {
  const functionName = 'clockPriceOf'
  const call = {
    to: environment.chain.deployment.market,
    data: encodeFunctionData({ abi: taskMarketAbi, functionName, args: [taskId] }),
  }
  const data = (await environment.chain.request('eth_call', [call, 'latest'])) as Hex
  return String(decodeFunctionResult({ abi: taskMarketAbi, functionName, data }))
}

describe('An english auction', () => {
  test('given three bidders who see each other’s bids, when one is selected, then it is the lowest', async () => {
    const scenario = await startScenario(environment, {
      actors: ['alice', 'bob', 'carol'],
      task: anAuctionTask('english'),
    })
    await scenario.expectTask({
      status: 'open',
      maxPrice: '2000000',
      auctionBidCount: 0,
      currentLowestBid: null,
      netReward: null,
    })
    await scenario.expectOffers([anyBid, update, cancel])
    expect(await scenario.perform('alice', 'bid', { price: '1500000' })).toEqual({
      success: true,
      bidId: toBidId(scenario.taskId, scenario.actors.alice.address),
    })
    await scenario.expectRefusal('bob', 'bid', { status: 409, fields: { price: '1500000' } })
    await scenario.perform('bob', 'bid', { price: '1200003' })
    await scenario.expectRefusal('alice', 'bid', { status: 409, fields: { price: '1400000' } })
    await scenario.perform('carol', 'bid', { price: '1100000' })
    await scenario.perform('bob', 'bid', { price: '1000003' })
    await scenario.expectTask({ auctionBidCount: 3, currentLowestBid: '1000003', claimedBy: null, netReward: null })
    await scenario.expectOffers([anyBid])
    await scenario.expectRefusal('requester', 'cancel', { status: 409 })
    await scenario.expectRefusal('requester', 'update', { status: 409, fields: { reward: '3000000' } })
    await scenario.expectRefusal('carol', 'select_winner', { status: 409 })
    await scenario.expectBalanceChanges({
      requester: -2_000_000n,
      market: 2_000_000n,
      alice: -1_000n,
      bob: -2_000n,
      carol: -1_000n,
      forwarder: 4_000n,
    })

    await scenario.advanceTo((await scenario.task()).bidDeadline)
    await scenario.expectOffers([anySelection])
    await scenario.expectRefusal('alice', 'bid', { status: 409, fields: { price: '1' } })
    expect(await scenario.perform('alice', 'select_winner')).toEqual({
      success: true,
      workerAddress: scenario.actors.bob.account.address,
    })
    // The rest of the escrow is refunded in the same transaction: 2000000 - 1000003.
    await scenario.expectBalanceChanges({ requester: 999_997n, market: -999_997n })
    await scenario.expectTask({
      status: 'claimed',
      claimedBy: 'bob',
      currentLowestBid: '1000003',
      reward: '2000000',
      netReward: '925003',
      submissionWindowOpen: true,
    })
    await scenario.expectOffers(['submit by bob'])
    await scenario.expectRefusal('carol', 'submit', { status: 403 })

    await scenario.perform('bob', 'submit')
    await scenario.expectTask({ status: 'pending_approval', submissionWindowOpen: false })
    await scenario.perform('requester', 'accept', { worker: 'bob' })
    // floor(1000003 * 0.075) = 75000.
    await scenario.expectBalanceChanges({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -1_000_003n,
      bob: 925_003n,
      feeRecipient: 75_000n,
    })
    await scenario.perform('requester', 'rate', { worker: 'bob', rating: 64 })
    await scenario.expectAwards([{ worker: 'bob', gross: '1000003', net: '925003', fee: '75000', rating: 64 }])
    await scenario.expectOffers([])
  })
})

describe('A reverse english auction', () => {
  test('given sealed bids, two of them equal, when any wallet selects, then the earlier one wins', async () => {
    const task = anAuctionTask('reverse_english')
    const scenario = await startScenario(environment, { actors: ['alice', 'bob', 'carol', 'stranger'], task })
    await scenario.perform('alice', 'bid', { price: '900000' })
    await scenario.perform('bob', 'bid', { price: '700000' })
    await scenario.perform('carol', 'bid', { price: '1800000' })
    await scenario.expectRefusal('alice', 'bid', { status: 409, fields: { price: '900000' } })
    await scenario.perform('alice', 'bid', { price: '700000' })
    await scenario.expectTask({ auctionBidCount: 3, currentLowestBid: null, claimedBy: null })
    await scenario.expectOffers([anyBid])
    const { body: sealed } = await environment.get(`/tasks/${scenario.taskId}/bids`, { as: scenario.actors.requester })
    expect(sealed.map(({ price, workerAddress }: Record<string, unknown>) => [price, workerAddress])).toEqual(
      [1, 2, 3].map(() => [null, null]),
    )

    await scenario.advanceTo((await scenario.task()).bidDeadline)
    await scenario.expectTask({ auctionBidCount: 3, currentLowestBid: '700000', claimedBy: null, netReward: null })
    const { body: open } = await environment.get(`/tasks/${scenario.taskId}/bids`)
    const { alice, bob, carol } = scenario.actors
    expect(open.map(({ price, workerAddress }: Record<string, unknown>) => [workerAddress, price])).toEqual([
      [bob.account.address, '700000'],
      [alice.account.address, '700000'],
      [carol.account.address, '1800000'],
    ])
    await scenario.expectBalanceChanges({
      requester: -2_000_000n,
      market: 2_000_000n,
      alice: -2_000n,
      bob: -1_000n,
      carol: -1_000n,
      forwarder: 4_000n,
    })
    await scenario.perform('stranger', 'select_winner')
    await scenario.expectBalanceChanges({ requester: 1_300_000n, market: -1_300_000n })
    await scenario.expectTask({ status: 'claimed', claimedBy: 'bob', netReward: '647500' })
    await scenario.expectRefusal('alice', 'select_winner', { status: 409 })
    await scenario.perform('bob', 'submit')
    await scenario.perform('requester', 'accept', { worker: 'bob' })
    await scenario.perform('requester', 'rate', { worker: 'bob', rating: 100 })
    await scenario.expectAwards([{ worker: 'bob', gross: '700000', net: '647500', fee: '52500', rating: 100 }])
    await scenario.expectBalanceChanges({
      requester: -2_000n,
      forwarder: 2_000n,
      market: -700_000n,
      bob: 647_500n,
      feeRecipient: 52_500n,
    })
  })
})

describe('A clock auction', () => {
  /** Prices at parts of the twelve hours, compared with the price in the contract. */
  async function expectPrices(
    scenario: Awaited<ReturnType<typeof startScenario<'alice' | 'bob'>>>,
    prices: [number, string][],
  ) {
    const { createdAt } = await scenario.task()
    const created = BigInt(Math.floor(Date.parse(createdAt) / 1000))
    for (const [hours, price] of prices) {
      await scenario.advanceTo(created + BigInt(hours * 3600))
      await scenario.expectTask({ currentAuctionPrice: price })
      expect(await priceOnChain(scenario.taskId)).toBe(price)
    }
  }

  test('given a dutch auction, then its price falls to the floor and stays there until a worker accepts', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: anAuctionTask('dutch') })
    const { bidDeadline } = await scenario.task()
    await scenario.expectTask({
      auctionFloorPrice: '500000',
      auctionStartPrice: null,
      auctionBidCount: 0,
      currentLowestBid: null,
      auctionPriceReachesFloorAt: bidDeadline,
      auctionPriceReachesMaxAt: null,
    })
    await scenario.expectOffers([anyAcceptance, update, cancel])
    await scenario.expectRefusal('alice', 'bid', { status: 409, fields: { price: '1000' } })
    await scenario.expectRefusal('alice', 'auction_accept', { status: 409, fields: { minPrice: '2000001' } })
    // 1500000 base units in 43200 seconds: 125000 an hour.
    await expectPrices(scenario, [
      [1, '1875000'],
      [6, '1250000'],
      [12, '500000'],
      [13, '500000'],
    ])
    await scenario.expectRefusal('alice', 'auction_accept', { status: 409, fields: { minPrice: '500001' } })
    await scenario.expectBalanceChanges({ requester: -2_000_000n, market: 2_000_000n })
    expect(await scenario.perform('alice', 'auction_accept', { minPrice: '500000' })).toEqual({
      success: true,
      acceptedPrice: '500000',
      workerAddress: scenario.actors.alice.account.address,
    })
    await scenario.expectBalanceChanges({
      requester: 1_500_000n,
      market: -1_500_000n,
      alice: -1_000n,
      forwarder: 1_000n,
    })
    await scenario.expectTask({ status: 'claimed', claimedBy: 'alice', currentAuctionPrice: null, netReward: '462500' })
    await scenario.expectRefusal('bob', 'auction_accept', { status: 409 })
    await scenario.perform('alice', 'submit')
    await scenario.perform('requester', 'accept', { worker: 'alice' })
    await scenario.perform('requester', 'rate', { worker: 'alice', rating: 1 })
    await scenario.expectAwards([{ worker: 'alice', gross: '500000', net: '462500', fee: '37500', rating: 1 }])
    await scenario.expectBalanceChanges({
      requester: -2_000n,
      forwarder: 2_000n,
      market: -500_000n,
      alice: 462_500n,
      feeRecipient: 37_500n,
    })
  })
})
