import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimBody, aClaimTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()
const { market } = environment.chain.deployment

/** A tenth of 2 USDC. */
const stake = 200_000n
const withStake = aClaimTask({ reward: '2000000', stakeBps: 1000 })
/** Gas price above that of every relayer, wei: a transaction with it is the first in its block. */
const firstInBlock = '0x174876e800'

afterEach(() => environment.chain.request('evm_setAutomine', [true]))

async function waitForPending(count: number): Promise<void> {
  await expect
    .poll(() => environment.chain.request('txpool_status'))
    .toEqual({ pending: `0x${count.toString(16)}`, queued: '0x0' })
}

/** Calldata of an update that shortens the task by an hour. */
function encodeShortening(taskId: Hex, expiryTime: number): Hex {
  const terms = { reward: 0n, pitchDeadline: 0, bidDeadline: 0, clockPrice: 0n, contentHash: zeroHash }
  const params = { taskId, expiryTime: expiryTime - 3600, ...terms }
  return encodeFunctionData({ abi: taskMarketAbi, functionName: 'updateTask', args: [params] })
}

/** Executes round one of a paid claim; returns a function that sends round two. */
async function prepare(worker: Actor, taskId: Hex, body: object) {
  const [client, call] = [await environment.clientOf(worker), { path: `/tasks/${taskId}/claim`, body, key: aKey() }]
  const payment = await client.sign(await client.challenge(call))
  return { key: call.key, send: () => client.sendPaid(call, payment) }
}

describe('Claim: two workers at once', () => {
  test('one gets the task; the other keeps its stake', async () => {
    const [requester, alice, bob] = [
      await environment.aWallet(),
      await environment.aWallet(),
      await environment.aWallet(),
    ]
    const taskId = await environment.createTask(requester, withStake)
    const claims = await Promise.all(
      [alice, bob].map(async (worker) => await prepare(worker, taskId, await aClaimBody(worker, taskId))),
    )
    const money = await environment.chain.watch({ alice: alice.address, bob: bob.address, market })
    // Both are sent before either is mined.
    await environment.chain.request('evm_setAutomine', [false])
    const sent = Promise.all(claims.map(({ send }) => send()))
    await waitForPending(2)
    await environment.chain.request('evm_mine')
    const answers = await sent

    const winner = answers.findIndex(({ status }) => status === 200)
    const [won, lost] = winner === 0 ? ([alice, bob] as const) : ([bob, alice] as const)
    const loser = expectRefusal(answers[1 - winner] ?? { status: 0, body: null }, 409, 'payment_preflight_rejected')
    expect(loser.service).toMatchObject({ operation: 'claims.create', intentStatus: 'failed' })
    const changes = await money.changes()
    expect(changes.market).toBe(stake)
    expect([changes.alice, changes.bob].toSorted()).toEqual([-stake, 0n].toSorted())
    expect(changes[won === alice ? 'alice' : 'bob']).toBe(-stake)
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(won.account.address)
    const { body: intent } = await environment.get(`/intents?intentId=${loser.service.intentId}`, { as: lost })
    expect(intent).toMatchObject({ status: 'failed', refund: null })
  })

  test('without a stake, one gets the task', async () => {
    const taskId = await environment.createTask(await environment.aWallet(), aClaimTask())
    const bodies = await Promise.all([anActor(), anActor()].map((worker) => aClaimBody(worker, taskId)))
    const answers = await Promise.all(bodies.map((body) => environment.post(`/tasks/${taskId}/claim`, { body })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const won = bodies[answers.findIndex(({ status }) => status === 200)]
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(won?.workerAddress)
  })
})

describe('Claim: on terms that change', () => {
  async function aTaskRead() {
    const [requester, alice] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await environment.createTask(requester, withStake)
    const { termsHash, expiryTime } = (await environment.get(`/tasks/${taskId}`)).body
    const shorten = encodeShortening(taskId, Date.parse(expiryTime) / 1000)
    return { taskId, requester, alice, termsHash, shorten }
  }

  test('termsHash of the task is that of the contract', async () => {
    const { taskId, requester, termsHash, alice } = await aTaskRead()
    await environment.pay(requester, `/tasks/${taskId}/update`, { reward: '3000000' })
    const { body: changed } = await environment.get(`/tasks/${taskId}`)
    expect(changed.termsHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(changed.termsHash).not.toBe(termsHash)
    const body = { ...(await aClaimBody(alice, taskId)), termsHash: changed.termsHash }
    expect((await environment.pay(alice, `/tasks/${taskId}/claim`, body)).status).toBe(200)
  })

  test('between reading and claiming: refused, nothing charged, also while the indexer is behind', async () => {
    const { taskId, requester, alice, termsHash, shorten } = await aTaskRead()
    const claim = await prepare(alice, taskId, { ...(await aClaimBody(alice, taskId)), termsHash })
    const money = await environment.chain.watch({ alice: alice.address })
    await environment.chain.sendAs(requester.address, { to: market, data: shorten })
    expectRefusal(await claim.send(), 409, 'payment_preflight_rejected')
    expect(await money.changes()).toEqual({ alice: 0n })
  })

  test('of the stake, between the two rounds: another challenge, nothing charged', async () => {
    const { taskId, requester, alice } = await aTaskRead()
    const claim = await prepare(alice, taskId, await aClaimBody(alice, taskId))
    const money = await environment.chain.watch({ alice: alice.address })
    await environment.pay(requester, `/tasks/${taskId}/update`, { reward: '4000000' })
    const { accepts } = expectRefusal(await claim.send(), 402, 'payment_rejected')
    expect(accepts[0].amount).toBe('400000')
    expect(await money.changes()).toEqual({ alice: 0n })
  })

  /** Waits until a relayed call is in the pool, puts a direct call of the requester before it, and mines both. */
  async function overtake(requester: Actor, data: Hex): Promise<void> {
    await environment.chain.request('anvil_setBalance', [requester.address, '0xde0b6b3a7640000'])
    await environment.chain.request('anvil_impersonateAccount', [requester.address])
    await waitForPending(1)
    await environment.chain.request('eth_sendTransaction', [
      { from: requester.address, to: market, data, gas: '0x7a120', gasPrice: firstInBlock },
    ])
    await waitForPending(2)
    await environment.chain.request('evm_mine')
  }

  test('a free claim that reverted: its signature is public, so repeating it requires the worker’s read identity', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester, aClaimTask())
    const { expiryTime } = (await environment.get(`/tasks/${taskId}`)).body
    const path = `/tasks/${taskId}/claim`
    const body = await aClaimBody(alice, taskId)
    await environment.chain.request('evm_setAutomine', [false])
    const sent = environment.post(path, { body })
    await overtake(requester, encodeShortening(taskId, Date.parse(expiryTime) / 1000))
    const { service } = expectRefusal(await sent, 409, 'payment_preflight_rejected')
    expect(service).toMatchObject({ intentStatus: 'failed', operation: 'claims.create' })
    await environment.chain.request('evm_setAutomine', [true])

    const refused = expectRefusal(await environment.post(path, { body }), 403, 'payment_preflight_rejected')
    expect(refused.issues).toMatchObject([{ path: 'signature' }])
    expectRefusal(await environment.post(path, { body, as: anActor() }), 403, 'payment_preflight_rejected')
    // The service relays a claim on the indexed terms.
    const readExpiry = async () => (await environment.get(`/tasks/${taskId}`)).body.expiryTime
    await expect.poll(readExpiry).not.toBe(expiryTime)
    const { status } = await environment.post(path, { body, as: alice })
    expect(status).toBe(200)
    expect((await environment.get(`/tasks/${taskId}`)).body.claimedBy).toBe(alice.account.address)
  })

  test('after the claim is bound, in the block of the claim: it fails, nothing charged', async () => {
    const { taskId, requester, alice, shorten } = await aTaskRead()
    const claim = await prepare(alice, taskId, await aClaimBody(alice, taskId))
    const money = await environment.chain.watch({ alice: alice.address, market })
    await environment.chain.request('evm_setAutomine', [false])
    const sent = claim.send()
    await overtake(requester, shorten)
    const { service } = expectRefusal(await sent, 409, 'payment_preflight_rejected')
    expect(service).toMatchObject({ intentStatus: 'failed', operation: 'claims.create' })
    const { body: intent } = await environment.get(`/intents?intentId=${service.intentId}`, { as: alice })
    expect(intent).toMatchObject({ status: 'failed', terminalReason: expect.stringMatching(/TaskTermsMismatch|terms/) })
    expect(await money.changes()).toEqual({ alice: 0n, market: 0n })
    expect((await environment.chain.task(taskId)).status).toBe(1)
  })
})
