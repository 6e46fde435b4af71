import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { anAuctionTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()
const { market } = environment.chain.deployment

/** Gas price above that of every relayer, wei: a transaction with it is the first in its block. */
const firstInBlock = '0x174876e800'

afterEach(() => environment.chain.request('evm_setAutomine', [true]))

async function waitForPending(count: number): Promise<void> {
  await expect
    .poll(() => environment.chain.request('txpool_status'))
    .toEqual({ pending: `0x${count.toString(16)}`, queued: '0x0' })
}

/** Executes round one of a paid write; returns a function that sends round two. */
async function prepare(payer: Actor, path: string, body: object) {
  const [client, call] = [await environment.clientOf(payer), { path, body, key: aKey() }]
  const payment = await client.sign(await client.challenge(call))
  return () => client.sendPaid(call, payment)
}

/** The requester changes the terms directly, in the block of the relayed write, before it. */
async function updateBefore(requester: Actor, terms: object, sent: Promise<unknown>): Promise<void> {
  const params = { reward: 0n, expiryTime: 0, pitchDeadline: 0, bidDeadline: 0, clockPrice: 0n, contentHash: zeroHash }
  const data = encodeFunctionData({
    abi: taskMarketAbi,
    functionName: 'updateTask',
    args: [{ ...params, ...terms } as never],
  })
  await waitForPending(1)
  await environment.chain.request('eth_sendTransaction', [
    { from: requester.address, to: market, data, gas: '0x7a120', gasPrice: firstInBlock },
  ])
  await waitForPending(2)
  await environment.chain.request('evm_mine')
  await sent
}

async function stopMining(requester: Actor): Promise<void> {
  await environment.chain.request('anvil_setBalance', [requester.address, '0xde0b6b3a7640000'])
  await environment.chain.request('anvil_impersonateAccount', [requester.address])
  await environment.chain.request('evm_setAutomine', [false])
}

describe('A clock price: two workers at once', () => {
  test('one gets the task; the other pays nothing', async () => {
    const [requester, alice, bob] = [
      await environment.aWallet(),
      await environment.aWallet(),
      await environment.aWallet(),
    ]
    const taskId = await environment.createTask(requester, anAuctionTask('dutch'))
    const path = `/tasks/${taskId}/bids/accept`
    const sends = [await prepare(alice, path, { taskId }), await prepare(bob, path, { taskId })]
    const money = await environment.chain.watch({
      alice: alice.address,
      bob: bob.address,
      requester: requester.address,
    })
    await environment.chain.request('evm_setAutomine', [false])
    const sent = Promise.all(sends.map((send) => send()))
    await waitForPending(2)
    await environment.chain.request('evm_mine')
    const answers = await sent

    const winner = answers.findIndex(({ status }) => status === 200)
    const loser = expectRefusal(answers[1 - winner] ?? { status: 0, body: null }, 409, 'payment_preflight_rejected')
    expect(loser.service).toMatchObject({ operation: 'bids.accept', intentStatus: 'failed' })
    const { acceptedPrice, workerAddress } = answers[winner]?.body ?? {}
    const [won, lost] = winner === 0 ? (['alice', 'bob'] as const) : (['bob', 'alice'] as const)
    expect(await money.changes()).toEqual({
      [won]: -1000n,
      [lost]: 0n,
      requester: 2_000_000n - BigInt(acceptedPrice),
    })
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(workerAddress)
    expect(workerAddress).toBe((won === 'alice' ? alice : bob).account.address)
  })
})

describe('Terms that change before a write is mined', () => {
  async function aRace(auctionType: 'dutch' | 'english', verb: string, body: object) {
    const [requester, alice] = [await environment.aWallet(), await environment.aWallet()]
    const taskId: Hex = await environment.createTask(requester, anAuctionTask(auctionType))
    const send = await prepare(alice, `/tasks/${taskId}/${verb}`, { taskId, ...body })
    const money = await environment.chain.watch({ alice: alice.address })
    await stopMining(requester)
    return { requester, taskId, money, sent: send() }
  }

  test('a clock price accepted without a minimum is never below the floor price of the read terms', async () => {
    const { requester, taskId, money, sent } = await aRace('dutch', 'bids/accept', {})
    await updateBefore(requester, { taskId, reward: 1000n, clockPrice: 1000n }, sent)
    const { service, error } = expectRefusal(await sent, 409, 'payment_preflight_rejected')
    expect(service).toMatchObject({ intentStatus: 'failed', operation: 'bids.accept' })
    expect(error).toContain('PriceBelowMinimum')
    expect(await money.changes()).toEqual({ alice: 0n })
    await expect.poll(async () => (await environment.get(`/tasks/${taskId}`)).body.reward).toBe('1000')
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'open', claimedBy: null })
  })

  test('a clock price above the given minimum is accepted', async () => {
    const { requester, taskId, money, sent } = await aRace('dutch', 'bids/accept', { minPrice: '1000' })
    await updateBefore(requester, { taskId, reward: 1500n, clockPrice: 1000n }, sent)
    const { status, body } = await sent
    expect(status).toBe(200)
    expect(BigInt(body.acceptedPrice)).toBeGreaterThanOrEqual(1000n)
    expect(BigInt(body.acceptedPrice)).toBeLessThanOrEqual(1500n)
    expect(await money.changes()).toEqual({ alice: -1000n })
  })

  test('a bid above the lowered maximum price fails, and is charged nothing', async () => {
    const { requester, taskId, money, sent } = await aRace('english', 'bids', { price: '1900000' })
    await updateBefore(requester, { taskId, reward: 1_800_000n }, sent)
    const { error } = expectRefusal(await sent, 409, 'payment_preflight_rejected')
    expect(error).toContain('BidTooHigh')
    expect(await money.changes()).toEqual({ alice: 0n })
    const { body } = await environment.get(`/tasks/${taskId}/bids`)
    expect(body).toEqual([])
  })

  test('of two equal english bids in one block the first is accepted, and the other pays nothing', async () => {
    const [requester, alice, bob] = [
      await environment.aWallet(),
      await environment.aWallet(),
      await environment.aWallet(),
    ]
    const taskId = await environment.createTask(requester, anAuctionTask('english'))
    const path = `/tasks/${taskId}/bids`
    const sends = [await prepare(alice, path, { price: '9000' }), await prepare(bob, path, { price: '9000' })]
    const money = await environment.chain.watch({ alice: alice.address, bob: bob.address })
    await environment.chain.request('evm_setAutomine', [false])
    const sent = Promise.all(sends.map((send) => send()))
    await waitForPending(2)
    await environment.chain.request('evm_mine')
    expect((await sent).map(({ status }) => status).toSorted()).toEqual([200, 409])
    const changes = await money.changes()
    expect(changes.alice + changes.bob).toBe(-1000n)
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      auctionBidCount: 1,
      currentLowestBid: '9000',
    })
  })
})
