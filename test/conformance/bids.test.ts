import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { toBidId } from '../../protocol/rules/row-ids.ts'
import type { AuctionType } from '../../protocol/rules/selectors.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { anAuctionTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

interface Auction {
  taskId: Hex
  requester: Actor
  path: string
}

async function anAuction(auctionType: AuctionType, fields: Record<string, unknown> = {}): Promise<Auction> {
  const requester = await environment.aWallet()
  const taskId = await environment.createTask(requester, anAuctionTask(auctionType, fields))
  return { taskId, requester, path: `/tasks/${taskId}/bids` }
}

/** One minute for bids, and two more until the expiry. */
const soon = { duration: 180 / 3600, bidDeadline: 60 / 3600 }

async function bid({ taskId, path }: Auction, worker: Actor, price: string): Promise<Hex> {
  const { status, body } = await environment.pay(worker, path, { taskId, price })
  expect({ status, body }).toEqual({ status: 200, body: { success: true, bidId: expect.any(String) } })
  return body.bidId
}

const taskOf = async ({ taskId }: Auction) => (await environment.get(`/tasks/${taskId}`)).body
const bidsOf = async ({ path }: Auction, as?: Actor) => (await environment.get(path, as && { as })).body

/** Moves time past the bid deadline, for the service's reads as well. */
async function reachDeadline(auction: Auction): Promise<void> {
  const deadline = Date.parse((await taskOf(auction)).bidDeadline) / 1000
  await environment.chain.passTime(deadline - Number(await environment.chain.headTime()))
}

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/bids', () => {
  test('is paid 0.001; the settled payer is the bidder', async () => {
    const [auction, alice] = [await anAuction('english'), await environment.aWallet()]
    const money = await environment.chain.watch({ alice: alice.address, market: environment.chain.deployment.market })
    const bidId = await bid(auction, alice, '1500000')
    expect(bidId).toBe(toBidId(auction.taskId, alice.address))
    expect(await money.changes()).toEqual({ alice: -1000n, market: 0n })
    expect(await bidsOf(auction)).toEqual([
      {
        id: bidId,
        taskId: auction.taskId,
        workerAddress: alice.account.address,
        workerAgentId: null,
        price: '1500000',
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
    expect(await taskOf(auction)).toMatchObject({ auctionBidCount: 1, currentLowestBid: '1500000', status: 'open' })
  })
})

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/bids/accept', () => {
  test('claims the task at the current clock price; the difference is refunded to the requester', async () => {
    const [auction, alice] = [await anAuction('reverse_dutch'), await environment.aWallet()]
    const { market } = environment.chain.deployment
    const money = await environment.chain.watch({ requester: auction.requester.address, alice: alice.address, market })
    const { status, body } = await environment.pay(alice, `${auction.path}/accept`, { taskId: auction.taskId })
    expect(status).toBe(200)
    const price = BigInt(body.acceptedPrice)
    expect(body).toEqual({ success: true, acceptedPrice: String(price), workerAddress: alice.account.address })
    expect(price).toBeGreaterThanOrEqual(500_000n)
    expect((await environment.chain.task(auction.taskId)).price).toBe(price)
    expect(await money.changes()).toEqual({ alice: -1000n, requester: 2_000_000n - price, market: price - 2_000_000n })
    expect(await taskOf(auction)).toMatchObject({
      status: 'claimed',
      claimedBy: alice.account.address,
      currentAuctionPrice: null,
      auctionBidCount: 0,
      submissionWindowOpen: true,
      netReward: String(price - (price * 750n) / 10_000n),
      agreedPrice: String(price),
    })
  })
})

describe('Claim, pitches, bids, proofs: POST /tasks/{taskId}/bids/select-winner', () => {
  test('after the bid deadline assigns the lowest bidder, for any caller, without payment', async () => {
    const auction = await anAuction('english', soon)
    const [alice, bob] = [await environment.aWallet(), await environment.aWallet()]
    await bid(auction, alice, '1500000')
    await bid(auction, bob, '1000000')
    const path = `${auction.path}/select-winner`
    expectRefusal(await environment.post(path, { body: {} }), 409, 'payment_preflight_rejected')
    await reachDeadline(auction)
    const { market } = environment.chain.deployment
    const money = await environment.chain.watch({ requester: auction.requester.address, bob: bob.address, market })
    // The requester's signature is not required, and its value is not verified.
    const assertion = { requesterAddress: auction.requester.account.address, signature: '0x' }
    const { status, body } = await environment.post(path, { body: { taskId: auction.taskId, ...assertion } })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, workerAddress: bob.account.address } })
    expect(await money.changes()).toEqual({ requester: 1_000_000n, bob: 0n, market: -1_000_000n })
    expect(await taskOf(auction)).toMatchObject({ status: 'claimed', claimedBy: bob.account.address })
    expectRefusal(await environment.post(path, { body: {} }), 409, 'payment_preflight_rejected')
  })
})

describe('Claim, pitches, bids, proofs: GET /tasks/{taskId}/bids', () => {
  test('a sealed reverse_english bid has neither workerAddress nor price before bidDeadline', async () => {
    const auction = await anAuction('reverse_english', soon)
    const [alice, bob] = [await environment.aWallet(), await environment.aWallet()]
    const ids = [await bid(auction, alice, '1500000'), await bid(auction, bob, '1000000')]
    const sealed = await bidsOf(auction)
    expect(sealed).toHaveLength(2)
    for (const row of sealed) {
      expect(row).toMatchObject({ workerAddress: null, workerAgentId: null, price: null })
      expect(ids).not.toContain(row.id)
    }
    expect(JSON.stringify([sealed, await taskOf(auction)])).not.toMatch(/"1000000"|"1500000"/)
    await reachDeadline(auction)
    // Reads may be one second behind the head.
    await expect.poll(async () => (await bidsOf(auction))[0].price).toBe('1000000')
    expect((await bidsOf(auction)).map(({ id }: { id: string }) => id)).toEqual(ids.toReversed())
  })
})

describe('Claim, pitches, bids, proofs: GET /bids/my', () => {
  test('has the caller’s bids in open auctions; without identity answers 401', async () => {
    const [english, sealed] = [await anAuction('english'), await anAuction('reverse_english', { bidDeadline: 13 })]
    const [alice, bob] = [await environment.aWallet(), await environment.aWallet()]
    for (const auction of [english, sealed]) {
      await bid(auction, alice, '1500000')
      await bid(auction, bob, '1000000')
    }
    const [{ bidDeadline }, { bidDeadline: laterDeadline }] = [await taskOf(english), await taskOf(sealed)]
    const shared = { myBidPrice: '1500000', bidCount: 2, taskStatus: 'open' }
    expect((await environment.get('/bids/my', { as: alice })).body).toEqual([
      { ...shared, taskId: english.taskId, auctionType: 'english', currentLowestBid: '1000000', bidDeadline },
      {
        ...shared,
        taskId: sealed.taskId,
        auctionType: 'reverse_english',
        currentLowestBid: null,
        bidDeadline: laterDeadline,
      },
    ])
    expectRefusal(await environment.get('/bids/my'), 401, 'unclassified')
  })
})
