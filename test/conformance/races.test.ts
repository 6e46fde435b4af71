import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimBody, aClaimTask, anAuctionTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()
const { market } = environment.chain.deployment

/** A tenth of 2 USDC. */
const stake = 200_000n
const FEE = 1_000n
/** Gas price above that of every relayer, wei: a transaction with it is the first in its block. */
const firstInBlock = '0x174876e800'
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
  await environment.chain.request('anvil_setBalance', [requester.address, '0xde0b6b3a7640000'])
  await environment.chain.request('anvil_impersonateAccount', [requester.address])
  await waitForPending(1)
  const call = { from: requester.address, to: market, data: updateTask(taskId, terms) }
  await environment.chain.request('eth_sendTransaction', [{ ...call, gas: '0x7a120', gasPrice: firstInBlock }])
  await waitForPending(2)
  await environment.chain.request('evm_mine')
}

describe('Claims, pitches, bids, proofs: two workers at once', () => {
  test.each([claim, acceptance])('$operation: one gets the task; the other is charged nothing', async (kind) => {
    const { taskId } = await aTask(kind.task)
    const workers = [await environment.aWallet(), await environment.aWallet()]
    const sends = await Promise.all(
      workers.map(async (worker) =>
        prepare(worker, `/tasks/${taskId}/${kind.verb}`, await kind.bodyOf(worker, taskId)),
      ),
    )
    const money = await Promise.all(workers.map(({ address }) => environment.chain.watch({ worker: address })))
    // Both are sent before either is mined.
    await stopMining()
    const sent = Promise.all(sends.map((send) => send()))
    await waitForPending(2)
    await environment.chain.request('evm_mine')
    const answers = await sent
    const winner = answers.findIndex(({ status }) => status === 200)
    const { service } = expectRefusal(
      answers[1 - winner] ?? { status: 0, body: null },
      409,
      'payment_preflight_rejected',
    )
    expect(service).toMatchObject({ operation: kind.operation, intentStatus: 'failed' })
    const charged = await Promise.all(money.map(async (watched) => (await watched.changes()).worker))
    expect([charged[winner], charged[1 - winner]]).toEqual([-kind.cost, 0n])
    const task = (await environment.get(`/tasks/${taskId}`)).body
    expect(task.claimedBy).toBe(workers[winner]?.account.address)
    const as = workers[1 - winner]
    const { body: intent } = await environment.get(`/intents?intentId=${service.intentId}`, as && { as })
    expect(intent).toMatchObject({ status: 'failed', refund: null })
  })
})

describe('Claims, pitches, bids, proofs: terms that change', () => {
  test.each<[string, EntryKind, object | null, string]>([
    ['a claim', claim, null, 'TaskTermsMismatch'],
    ['an accepted clock price', acceptance, { reward: 1000n, clockPrice: 1000n }, 'PriceBelowMinimum'],
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

  test('a free claim that reverted: its signature is public, so repeating it requires the worker’s read identity', async () => {
    const { taskId, requester, sooner } = await aTask(aClaimTask())
    const alice = anActor()
    const readExpiry = async () => (await environment.get(`/tasks/${taskId}`)).body.expiryTime
    const [path, body, expiryTime] = [`/tasks/${taskId}/claim`, await aClaimBody(alice, taskId), await readExpiry()]
    await stopMining()
    const sent = environment.post(path, { body })
    await overtake(requester, taskId, sooner)
    const { service } = expectRefusal(await sent, 409, 'payment_preflight_rejected')
    expect(service).toMatchObject({ intentStatus: 'failed', operation: 'claims.create' })
    await environment.chain.request('evm_setAutomine', [true])

    const refused = expectRefusal(await environment.post(path, { body }), 403, 'payment_preflight_rejected')
    expect(refused.issues).toMatchObject([{ path: 'signature' }])
    expectRefusal(await environment.post(path, { body, as: anActor() }), 403, 'payment_preflight_rejected')
    // The service relays a claim on the indexed terms.
    await expect.poll(readExpiry).not.toBe(expiryTime)
    expect((await environment.post(path, { body, as: alice })).status).toBe(200)
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(alice.account.address)
  })
})
