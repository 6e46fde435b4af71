import { encodeFunctionData, erc20Abi, type Hex, zeroHash } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimBody, aClaimTask, anAuctionTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey, type Reply } from '../support/paying-client.ts'

const environment = openEnvironment()
const { market } = environment.chain.deployment

/** A tenth of 2 USDC. */
const stake = 200_000n
const FEE = 1_000n
const kept = { reward: 0n, expiryTime: 0, pitchDeadline: 0, bidDeadline: 0, clockPrice: 0n, contentHash: zeroHash }

/** A worker's entry to a task: paid, and first come, first served. */
interface EntryKind {
  operation: string
  verb: string
  task: Record<string, unknown>
  cost: bigint
  bodyOf(worker: Actor, taskId: Hex): Promise<object> | object
}
const claim: EntryKind = {
  operation: 'claims.create',
  verb: 'claim',
  task: aClaimTask({ reward: '2000000', stakeBps: 1000 }),
  cost: stake,
  bodyOf: aClaimBody,
}
const acceptance: EntryKind = {
  operation: 'bids.accept',
  verb: 'bids/accept',
  task: anAuctionTask('dutch'),
  cost: FEE,
  bodyOf: () => ({}),
}
const bid: EntryKind = {
  operation: 'bids.create',
  verb: 'bids',
  task: anAuctionTask('english'),
  cost: FEE,
  bodyOf: () => ({ price: '1900000' }),
}

afterEach(() => environment.chain.request('evm_setAutomine', [true]))

const stopMining = () => environment.chain.request('evm_setAutomine', [false])

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

async function aTask(fields: Record<string, unknown>) {
  const requester = await environment.aWallet()
  const taskId = await environment.createTask(requester, fields)
  const { expiryTime, termsHash } = (await environment.get(`/tasks/${taskId}`)).body
  const sooner = { expiryTime: Date.parse(expiryTime) / 1000 - 3600 }
  return { requester, taskId, termsHash, sooner }
}

const updateTask = (taskId: Hex, terms: object) =>
  encodeFunctionData({
    abi: taskMarketAbi,
    functionName: 'updateTask',
    args: [{ taskId, ...kept, ...terms } as never],
  })

/** Waits until a relayed call is in the pool, puts a direct update of the requester before it, and mines both. */
async function overtake(requester: Actor, taskId: Hex, terms: object): Promise<void> {
  await waitForPending(1)
  await environment.chain.sendFirst(requester.address, { to: market, data: updateTask(taskId, terms) })
  await waitForPending(2)
  await environment.chain.request('evm_mine')
}

/** Puts a transfer of all USDC of a wallet to another one before a call that is in the pool. */
async function spendAllFirst({ address }: Actor, to: Actor): Promise<void> {
  const balance = await environment.chain.balanceOf(address)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to.address, balance] })
  await environment.chain.sendFirst(address, { to: environment.chain.deployment.usdc, data })
  await waitForPending(2)
}

describe('Claims, pitches, bids, proofs: two workers at once', () => {
  /** Two workers' entries to a new task; the first one's is in the pool. */
  async function enterTwice(kind: EntryKind) {
    const { taskId } = await aTask(kind.task)
    const [first, second] = [await environment.aWallet(), await environment.aWallet()]
    const path = `/tasks/${taskId}/${kind.verb}`
    const enter = await prepare(first, path, await kind.bodyOf(first, taskId))
    const lose = await prepare(second, path, await kind.bodyOf(second, taskId))
    const money = await environment.chain.watch({ first: first.address, second: second.address })
    await stopMining()
    const entered = enter()
    await waitForPending(1)
    return { taskId, first, second, entered, lose, money }
  }
  const expectRefused = (answer: Reply) => expectRefusal(answer, 409, 'payment_preflight_rejected').service

  test.each([claim, acceptance])('$operation: one gets the task; the other is charged nothing', async (kind) => {
    const { taskId, first, entered, lose, money } = await enterTwice(kind)
    const refused = await lose()
    expect(expectRefused(refused).detail).toBe('task_changing')
    expect(refused.headers.get('retry-after')).toBe('2')
    await environment.chain.request('evm_mine')
    expect(await entered).toMatchObject({ status: 200 })
    expect(expectRefused(await lose()).detail).toBe('wrong_state')
    expect(await money.changes()).toEqual({ first: -kind.cost, second: 0n })
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(first.account.address)
  })

  test('the first one fails in the block: the other succeeds with the same key and payment', async () => {
    const { first, second, entered, lose } = await enterTwice(acceptance)
    expect(expectRefused(await lose()).detail).toBe('task_changing')
    await spendAllFirst(first, second)
    await environment.chain.request('evm_mine')
    expect(expectRefused(await entered).intentStatus).toBe('failed')
    await environment.chain.request('evm_setAutomine', [true])
    expect(await lose()).toMatchObject({ status: 200, body: { workerAddress: second.account.address } })
  })
})

describe('Claims, pitches, bids, proofs: terms that change', () => {
  test.each<[string, EntryKind, object | null, string]>([
    ['a claim', claim, null, 'TaskTermsMismatch'],
    ['a bid', bid, { reward: 1_800_000n }, 'BidTooHigh'],
  ])('%s, in the block of the entry: it fails, nothing charged', async (_name, kind, changes, reason) => {
    const { taskId, requester, sooner } = await aTask(kind.task)
    const alice = await environment.aWallet()
    const send = await prepare(alice, `/tasks/${taskId}/${kind.verb}`, await kind.bodyOf(alice, taskId))
    const money = await environment.chain.watch({ alice: alice.address })
    await stopMining()
    const sent = send()
    await overtake(requester, taskId, changes ?? sooner)
    const { service } = expectRefusal(await sent, 409, 'payment_preflight_rejected')
    expect(service).toMatchObject({ intentStatus: 'failed', operation: kind.operation })
    const { body: intent } = await environment.get(`/intents?intentId=${service.intentId}`, { as: alice })
    expect(intent).toMatchObject({ status: 'failed', terminalReason: expect.stringContaining(reason) })
    expect(await money.changes()).toEqual({ alice: 0n })
    expect((await environment.chain.task(taskId)).status).toBe(1)
  })

  test('between reading and claiming: refused, nothing charged, also while the indexer is behind', async () => {
    const { taskId, requester, termsHash, sooner } = await aTask(claim.task)
    const alice = await environment.aWallet()
    const body = { ...(await aClaimBody(alice, taskId)), termsHash }
    const send = await prepare(alice, `/tasks/${taskId}/claim`, body)
    const money = await environment.chain.watch({ alice: alice.address })
    await environment.chain.sendAs(requester.address, { to: market, data: updateTask(taskId, sooner) })
    expectRefusal(await send(), 409, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ alice: 0n })
  })
})
