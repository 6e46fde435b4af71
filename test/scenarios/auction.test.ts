import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { openWorld } from '../support/conformance.ts'
import { anAuctionTask } from '../support/conformance-scenes.ts'
import { tellStory } from '../support/scenarios/story.ts'

const world = openWorld()

const anyBid = 'bid by any worker for 1000'
const anyAcceptance = 'auction_accept by any worker for 1000'
const anySelection = 'select_winner by anyone'
const cancel = 'cancel by requester for 1000'
const update = 'update by requester for 1000'
const refund = ['refund_expired by anyone for 1000', 'refund_expired by requester for 1000']

/** Unix seconds of a time in an answer. */
const toSeconds = (iso: string) => BigInt(Date.parse(iso) / 1000)

/** The price that the contract itself has for the newest block. */
async function priceOnChain(taskId: Hex): Promise<string> {
  const functionName = 'clockPriceOf'
  const call = {
    to: world.chain.deployment.market,
    data: encodeFunctionData({ abi: taskMarketAbi, functionName, args: [taskId] }),
  }
  const data = (await world.chain.request('eth_call', [call, 'latest'])) as Hex
  return String(decodeFunctionResult({ abi: taskMarketAbi, functionName, data }))
}

describe('An english auction', () => {
  test('goes to the lowest of three bidders, who bid against each other in the open', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob', 'carol'], task: anAuctionTask('english') })
    await story.sees({
      status: 'open',
      maxPrice: '2000000',
      auctionBidCount: 0,
      currentLowestBid: null,
      netReward: null,
    })
    await story.offers([anyBid, update, cancel])
    await story.act('alice', 'bid', { price: '1500000' })
    await story.refused('bob', 'bid', { status: 409, fields: { price: '1500000' } })
    await story.act('bob', 'bid', { price: '1200003' })
    await story.refused('alice', 'bid', { status: 409, fields: { price: '1400000' } })
    await story.act('carol', 'bid', { price: '1100000' })
    await story.act('bob', 'bid', { price: '1000003' })
    await story.sees({ auctionBidCount: 3, currentLowestBid: '1000003', claimedBy: null, netReward: null })
    await story.offers([anyBid])
    await story.refused('requester', 'cancel', { status: 409 })
    await story.refused('requester', 'update', { status: 409, fields: { reward: '3000000' } })
    await story.refused('carol', 'select_winner', { status: 409 })
    await story.money({
      requester: -2_000_000n,
      market: 2_000_000n,
      alice: -1_000n,
      bob: -2_000n,
      carol: -1_000n,
      forwarder: 4_000n,
    })

    await story.until((await story.task()).bidDeadline)
    await story.offers([anySelection])
    await story.refused('alice', 'bid', { status: 409, fields: { price: '1' } })
    expect(await story.act('alice', 'select_winner')).toEqual({
      success: true,
      workerAddress: story.cast.bob.account.address,
    })
    // The rest of the escrow is back at once: 2000000 - 1000003.
    await story.money({ requester: 999_997n, market: -999_997n })
    await story.sees({
      status: 'claimed',
      claimedBy: 'bob',
      currentLowestBid: '1000003',
      reward: '2000000',
      netReward: '925003',
      submissionWindowOpen: true,
    })
    await story.offers(['submit by bob'])
    await story.refused('carol', 'submit', { status: 403 })

    await story.act('bob', 'submit')
    await story.sees({ status: 'pending_approval', submissionWindowOpen: false })
    await story.act('requester', 'accept', { worker: 'bob' })
    // floor(1000003 * 0.075) = 75000.
    await story.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -1_000_003n,
      bob: 925_003n,
      feeRecipient: 75_000n,
    })
    await story.act('requester', 'rate', { worker: 'bob', rating: 64 })
    await story.awards([{ worker: 'bob', gross: '1000003', net: '925003', fee: '75000', rating: 64 }])
    await story.offers([])
  })

  test('without a bid is refunded after its expiry', async () => {
    const story = await tellStory(world, { cast: ['alice'], task: anAuctionTask('english') })
    await story.until((await story.task()).bidDeadline)
    await story.offers([update, cancel])
    await story.refused('alice', 'select_winner', { status: 409 })
    await story.until((await story.task()).expiryTime)
    await story.sees({ status: 'open', phase: 'awaiting_settlement' })
    await story.offers([update, cancel, ...refund])
    await story.act('alice', 'refund_expired')
    await story.money({ alice: -1_000n, forwarder: 1_000n })
    await story.sees({ status: 'expired', phase: 'resolved' })
    await story.nothingInEscrow()
  })

  test('whose winner nobody selected in time is refunded all the same', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: anAuctionTask('english') })
    await story.act('alice', 'bid', { price: '5000' })
    await story.until(toSeconds((await story.task()).expiryTime) - 1n)
    await story.offers([anySelection])
    await story.until((await story.task()).expiryTime)
    await story.offers(refund)
    await story.refused('bob', 'select_winner', { status: 409 })
    await story.act('bob', 'refund_expired')
    await story.money({ alice: -1_000n, bob: -1_000n, forwarder: 2_000n })
    await story.sees({ status: 'expired', claimedBy: null })
  })

  test('whose winner delivers nothing gives back what he would have got', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: anAuctionTask('english') })
    await story.act('alice', 'bid', { price: '800000' })
    await story.until((await story.task()).bidDeadline)
    await story.act('requester', 'select_winner')
    await story.money({ requester: -800_000n, market: 800_000n, alice: -1_000n, forwarder: 1_000n })
    await story.until((await story.task()).expiryTime)
    await story.sees({ status: 'claimed', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await story.offers(refund)
    await story.refused('alice', 'submit', { status: 409 })
    await story.act('requester', 'refund_expired')
    await story.money({ requester: 799_000n, market: -800_000n, forwarder: 1_000n })
    await story.nothingInEscrow()
  })
})

describe('A reverse english auction', () => {
  test('is sealed, goes to the earlier of two equal bids, and is selected by a stranger', async () => {
    const task = anAuctionTask('reverse_english')
    const story = await tellStory(world, { cast: ['alice', 'bob', 'carol', 'stranger'], task })
    await story.act('alice', 'bid', { price: '900000' })
    await story.act('bob', 'bid', { price: '700000' })
    await story.act('carol', 'bid', { price: '1800000' })
    await story.refused('alice', 'bid', { status: 409, fields: { price: '900000' } })
    await story.act('alice', 'bid', { price: '700000' })
    await story.sees({ auctionBidCount: 3, currentLowestBid: null, claimedBy: null })
    await story.offers([anyBid])
    const { body: sealed } = await world.get(`/tasks/${story.taskId}/bids`, { as: story.cast.requester })
    expect(sealed.map(({ price, workerAddress }: Record<string, unknown>) => [price, workerAddress])).toEqual(
      [1, 2, 3].map(() => [null, null]),
    )

    await story.until((await story.task()).bidDeadline)
    await story.sees({ auctionBidCount: 3, currentLowestBid: '700000', claimedBy: null, netReward: null })
    const { body: open } = await world.get(`/tasks/${story.taskId}/bids`)
    const { alice, bob, carol } = story.cast
    expect(open.map(({ price, workerAddress }: Record<string, unknown>) => [workerAddress, price])).toEqual([
      [bob.account.address, '700000'],
      [alice.account.address, '700000'],
      [carol.account.address, '1800000'],
    ])
    await story.money({
      requester: -2_000_000n,
      market: 2_000_000n,
      alice: -2_000n,
      bob: -1_000n,
      carol: -1_000n,
      forwarder: 4_000n,
    })
    await story.act('stranger', 'select_winner')
    await story.money({ requester: 1_300_000n, market: -1_300_000n })
    await story.sees({ status: 'claimed', claimedBy: 'bob', netReward: '647500' })
    await story.refused('alice', 'select_winner', { status: 409 })
    await story.act('bob', 'submit')
    await story.act('requester', 'accept', { worker: 'bob' })
    await story.act('requester', 'rate', { worker: 'bob', rating: 100 })
    await story.awards([{ worker: 'bob', gross: '700000', net: '647500', fee: '52500', rating: 100 }])
    await story.money({
      requester: -2_000n,
      forwarder: 2_000n,
      market: -700_000n,
      bob: 647_500n,
      feeRecipient: 52_500n,
    })
  })

  test('with an evaluator pays by the verdict on what was bid, and its judges cannot bid', async () => {
    const judged = { evaluator: 'evaluator', disputeResolver: 'resolver', evaluatorFeeBps: 500 }
    const task = anAuctionTask('reverse_english', { ...judged, evaluationWindowHours: 1, appealWindowHours: 1 })
    const story = await tellStory(world, { cast: ['alice', 'evaluator', 'resolver'], task })
    for (const judge of ['evaluator', 'resolver'] as const) {
      await story.refused(judge, 'bid', { status: 403, fields: { price: '5000' } })
    }
    await story.act('alice', 'bid', { price: '1000000' })
    await story.until((await story.task()).bidDeadline)
    await story.act('alice', 'select_winner')
    // (1000000 - 50000) less 7.5 %.
    await story.sees({ netReward: '878750', evaluatorFeeBps: 500 })
    await story.act('alice', 'submit')
    await story.sees({ status: 'review' })
  })
})

describe('A clock auction', () => {
  /** Prices at parts of the twelve hours, as the contract has them too. */
  async function expectPrices(
    story: Awaited<ReturnType<typeof tellStory<'alice' | 'bob'>>>,
    prices: [number, string][],
  ) {
    const { createdAt } = await story.task()
    const created = BigInt(Math.floor(Date.parse(createdAt) / 1000))
    for (const [hours, price] of prices) {
      await story.until(created + BigInt(hours * 3600))
      await story.sees({ currentAuctionPrice: price })
      expect(await priceOnChain(story.taskId)).toBe(price)
    }
  }

  test('that is dutch falls to its floor and rests there, until somebody takes it', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: anAuctionTask('dutch') })
    const { bidDeadline } = await story.task()
    await story.sees({
      auctionFloorPrice: '500000',
      auctionStartPrice: null,
      auctionBidCount: 0,
      currentLowestBid: null,
      auctionPriceReachesFloorAt: bidDeadline,
      auctionPriceReachesMaxAt: null,
    })
    await story.offers([anyAcceptance, update, cancel])
    await story.refused('alice', 'bid', { status: 409, fields: { price: '1000' } })
    await story.refused('alice', 'auction_accept', { status: 409, fields: { minPrice: '2000001' } })
    // 1500000 base units in 43200 seconds: 125000 an hour.
    await expectPrices(story, [
      [1, '1875000'],
      [6, '1250000'],
      [12, '500000'],
      [13, '500000'],
    ])
    await story.refused('alice', 'auction_accept', { status: 409, fields: { minPrice: '500001' } })
    await story.money({ requester: -2_000_000n, market: 2_000_000n })
    expect(await story.act('alice', 'auction_accept', { minPrice: '500000' })).toEqual({
      success: true,
      acceptedPrice: '500000',
      workerAddress: story.cast.alice.account.address,
    })
    await story.money({ requester: 1_500_000n, market: -1_500_000n, alice: -1_000n, forwarder: 1_000n })
    await story.sees({ status: 'claimed', claimedBy: 'alice', currentAuctionPrice: null, netReward: '462500' })
    await story.refused('bob', 'auction_accept', { status: 409 })
    await story.act('alice', 'submit')
    await story.act('requester', 'accept', { worker: 'alice' })
    await story.act('requester', 'rate', { worker: 'alice', rating: 1 })
    await story.awards([{ worker: 'alice', gross: '500000', net: '462500', fee: '37500', rating: 1 }])
    await story.money({
      requester: -2_000n,
      forwarder: 2_000n,
      market: -500_000n,
      alice: 462_500n,
      feeRecipient: 37_500n,
    })
  })

  test('that is reverse dutch rises to its most, and pays what it shows in the block of the acceptance', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: anAuctionTask('reverse_dutch') })
    const { bidDeadline } = await story.task()
    await story.sees({
      auctionStartPrice: '500000',
      auctionFloorPrice: null,
      auctionPriceReachesFloorAt: null,
      auctionPriceReachesMaxAt: bidDeadline,
    })
    await story.refused('bob', 'select_winner', { status: 409 })
    await expectPrices(story, [
      [2, '750000'],
      [8, '1500000'],
    ])
    await story.money({ requester: -2_000_000n, market: 2_000_000n })
    const { acceptedPrice } = await story.act('bob', 'auction_accept')
    const price = BigInt(String(acceptedPrice))
    // 35 base units a second, and a few seconds.
    expect(price).toBeGreaterThanOrEqual(1_500_000n)
    expect(price).toBeLessThan(1_502_000n)
    await story.money({
      requester: 2_000_000n - price,
      market: price - 2_000_000n,
      bob: -1_000n,
      forwarder: 1_000n,
    })
    await story.act('bob', 'submit')
    await story.act('requester', 'accept', { worker: 'bob' })
    const fee = (price * 750n) / 10_000n
    await story.awards([{ worker: 'bob', gross: String(price), net: String(price - fee), fee: String(fee) }])
    await story.act('requester', 'rate', { worker: 'bob', rating: 50 })
    await story.offers([])
  })

  test('that nobody accepts is refunded; its requester may end it before', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: anAuctionTask('dutch') })
    await story.until((await story.task()).expiryTime)
    await story.sees({ currentAuctionPrice: '500000', phase: 'awaiting_settlement' })
    await story.offers([update, cancel, ...refund])
    await story.refused('alice', 'auction_accept', { status: 409 })
    await story.act('requester', 'cancel')
    await story.money({ requester: -1_000n, forwarder: 1_000n })
    await story.sees({ status: 'cancelled', currentAuctionPrice: null })
  })
})
