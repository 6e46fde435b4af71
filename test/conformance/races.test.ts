import { encodeFunctionData, erc20Abi, type Hex, zeroHash } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimBody, aClaimTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey, type Reply } from '../support/paying-client.ts'

const environment = openEnvironment()
const { market, usdc } = environment.chain.deployment

/** A tenth of 2 USDC. */
const stake = 200_000n
const kept = { reward: 0n, pitchDeadline: 0, bidDeadline: 0, clockPrice: 0n, contentHash: zeroHash }

const mine = (isAutomatic: boolean) => environment.chain.request('evm_setAutomine', [isAutomatic])
const mineBlock = () => environment.chain.request('evm_mine')
afterEach(() => mine(true))

async function waitForPending(count: number): Promise<void> {
  await expect
    .poll(() => environment.chain.request('txpool_status'))
    .toEqual({ pending: `0x${count.toString(16)}`, queued: '0x0' })
}

/** A claim that costs its stake. */
async function aTask() {
  const requester = await environment.aWallet()
  const taskId = await environment.createTask(requester, aClaimTask({ reward: '2000000', stakeBps: 1000 }))
  const { expiryTime, termsHash } = (await environment.get(`/tasks/${taskId}`)).body
  const sooner = { ...kept, taskId, expiryTime: Date.parse(expiryTime) / 1000 - 3600 }
  const update = {
    to: market,
    data: encodeFunctionData({ abi: taskMarketAbi, functionName: 'updateTask', args: [sooner] }),
  }
  return { requester, taskId, termsHash, update }
}

/** Executes round one of a claim; returns a function that sends round two. */
async function prepare(worker: Actor, taskId: Hex, fields: object = {}) {
  const body = { ...(await aClaimBody(worker, taskId)), ...fields }
  const [client, call] = [await environment.clientOf(worker), { path: `/tasks/${taskId}/claim`, body, key: aKey() }]
  const payment = await client.sign(await client.challenge(call))
  return () => client.sendPaid(call, payment)
}

const expectRefused = (answer: Reply) => expectRefusal(answer, 409, 'payment_preflight_rejected').service

describe('Claims, pitches, bids, proofs: two workers at once', () => {
  /** The claims of two workers of a new task; the first one's is in the pool. */
  async function enterTwice() {
    const { taskId } = await aTask()
    const [first, second] = [await environment.aWallet(), await environment.aWallet()]
    const [enter, lose] = [await prepare(first, taskId), await prepare(second, taskId)]
    const money = await environment.chain.watch({ first: first.address, second: second.address })
    await mine(false)
    const entered = enter()
    await waitForPending(1)
    return { taskId, first, second, entered, lose, money }
  }

  test('one gets the task; the other is charged nothing', async () => {
    const { taskId, first, entered, lose, money } = await enterTwice()
    const refused = await lose()
    expect(expectRefused(refused).detail).toBe('task_changing')
    expect(refused.headers.get('retry-after')).toBe('2')
    await mineBlock()
    expect(await entered).toMatchObject({ status: 200 })
    expect(expectRefused(await lose()).detail).toBe('wrong_state')
    expect(await money.changes()).toEqual({ first: -stake, second: 0n })
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(first.account.address)
  })

  test('the first one fails in the block: the other succeeds with the same key and payment', async () => {
    const { taskId, first, second, entered, lose } = await enterTwice()
    expect(expectRefused(await lose()).detail).toBe('task_changing')
    // All USDC of the first one goes to the other before its claim.
    const args = [second.address, await environment.chain.balanceOf(first.address)] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await environment.chain.sendFirst(first.address, { to: usdc, data })
    await waitForPending(2)
    await mineBlock()
    expect(expectRefused(await entered).intentStatus).toBe('failed')
    await mine(true)
    expect(await lose()).toMatchObject({ status: 200 })
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(second.account.address)
  })
})

describe('Claims, pitches, bids, proofs: terms that change', () => {
  test('in the block of the claim: it fails, nothing charged', async () => {
    const { taskId, requester, update } = await aTask()
    const alice = await environment.aWallet()
    const send = await prepare(alice, taskId)
    const money = await environment.chain.watch({ alice: alice.address })
    await mine(false)
    const sent = send()
    await waitForPending(1)
    await environment.chain.sendFirst(requester.address, update)
    await waitForPending(2)
    await mineBlock()
    const service = expectRefused(await sent)
    expect(service).toMatchObject({ intentStatus: 'failed', operation: 'claims.create' })
    const { body: intent } = await environment.get(`/intents?intentId=${service.intentId}`, { as: alice })
    expect(intent).toMatchObject({ status: 'failed', terminalReason: expect.stringContaining('TaskTermsMismatch') })
    expect(await money.changes()).toEqual({ alice: 0n })
    expect((await environment.chain.task(taskId)).status).toBe(1)
  })

  test('between reading and claiming: refused, nothing charged, also while the indexer is behind', async () => {
    const { taskId, requester, termsHash, update } = await aTask()
    const alice = await environment.aWallet()
    const send = await prepare(alice, taskId, { termsHash })
    const money = await environment.chain.watch({ alice: alice.address })
    await environment.chain.sendAs(requester.address, update)
    expectRefused(await send())
    expect(await money.changes()).toEqual({ alice: 0n })
  })
})
