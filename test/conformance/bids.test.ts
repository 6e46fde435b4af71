import { expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { anAuctionTask } from '../support/conformance-fixtures.ts'

const environment = openEnvironment()

/** The other kinds of auctions: `test/scenarios/auction.test.ts`. */
test('given a reverse dutch auction, when a worker accepts, then the task is theirs at the price of the clock, and the rest is refunded', async () => {
  const [requester, alice] = [await environment.aWallet(), await environment.aWallet()]
  const taskId = await environment.createTask(requester, anAuctionTask('reverse_dutch'))
  const { market } = environment.chain.deployment
  const money = await environment.chain.watch({ requester: requester.address, alice: alice.address, market })
  const { status, body } = await environment.pay(alice, `/tasks/${taskId}/bids/accept`, { taskId })
  expect(status).toBe(200)
  const price = BigInt(body.acceptedPrice)
  expect(body).toEqual({ success: true, acceptedPrice: String(price), workerAddress: alice.account.address })
  expect(price).toBeGreaterThanOrEqual(500_000n)
  expect((await environment.chain.task(taskId)).price).toBe(price)
  expect(await money.changes()).toEqual({ alice: -1000n, requester: 2_000_000n - price, market: price - 2_000_000n })
  expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
    status: 'claimed',
    claimedBy: alice.account.address,
    currentAuctionPrice: null,
    auctionBidCount: 0,
    submissionWindowOpen: true,
    netReward: String(price - (price * 750n) / 10_000n),
    agreedPrice: String(price),
  })
})
