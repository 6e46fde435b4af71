import { encodeFunctionData } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey, type WriteCall } from '../support/paying-client.ts'

const environment = openEnvironment()

/** Restores mining after each test. */
afterEach(() => environment.chain.request('evm_setAutomine', [true]))

function aCall(fields: Record<string, unknown> = {}): WriteCall {
  return { path: '/tasks', body: aTaskBody(fields), key: aKey() }
}

/** A signed payment of a call, not sent yet. */
async function prepare(payer: Actor, call: WriteCall) {
  const client = await environment.clientOf(payer)
  const payment = await client.sign(await client.challenge(call))
  return { payment, send: (other: WriteCall = call) => client.sendPaid(other, payment) }
}

describe('Errors: idempotency', () => {
  test('idempotency_key_payload_mismatch: other arguments are not applied; the original ones still work', async () => {
    const requester = await environment.aWallet()
    const call = aCall()
    const { send } = await prepare(requester, call)
    const money = await environment.chain.watch({ requester: requester.address })
    const other = { ...call, body: aTaskBody({ reward: '9000000' }) }
    expectRefusal(await environment.post(other.path, other), 409, 'idempotency_key_payload_mismatch')
    expectRefusal(await send(other), 409, 'idempotency_key_payload_mismatch')
    expect(await money.changes()).toEqual({ requester: 0n })
    // The same arguments in another spelling are the same payload.
    const reordered = Object.fromEntries(Object.entries(aTaskBody()).reverse())
    expect((await send({ ...call, body: { ...reordered, mode: 'bounty', unknown: 1 } })).status).toBe(200)
  })
})

describe('Errors: payments', () => {
  test('payment_preflight_rejected with status failed: a call that reverts on chain charges nothing', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester)
    const path = `/tasks/${taskId}/cancel`
    const { send } = await prepare(requester, { path, key: aKey() })
    const money = await environment.chain.watch({ requester: requester.address })
    // A direct call of the requester comes before the relayed one, which finds the task cancelled.
    await environment.chain.request('evm_setAutomine', [false])
    const answer = send()
    const pending = () => environment.chain.request('txpool_status')
    await expect.poll(pending).toEqual({ pending: '0x1', queued: '0x0' })
    const data = encodeFunctionData({ abi: taskMarketAbi, functionName: 'cancelTask', args: [taskId] })
    await environment.chain.sendFirst(requester.address, { to: environment.chain.deployment.market, data })
    await expect.poll(pending).toEqual({ pending: '0x2', queued: '0x0' })
    await environment.chain.request('evm_mine')
    const { service } = expectRefusal(await answer, 409, 'payment_preflight_rejected')
    expect(service).toMatchObject({ intentStatus: 'failed', operation: 'tasks.cancel' })
    expect(await money.changes()).toEqual({ requester: 2_000_000n })
    const { body: intent } = await environment.get(`/intents?intentId=${service.intentId}`, { as: requester })
    expect(intent).toMatchObject({ status: 'failed', terminalReason: expect.stringMatching(/./), refund: null })
    const again = await environment.post(path, { key: service.idempotencyKey })
    expect(expectRefusal(again, 409, 'idempotency_key_reused').service.intentStatus).toBe('failed')
  })
})

describe('Errors: layout', () => {
  test('has class, reason and one sentence, and never a stack, SQL or a path of the host', async () => {
    const taskId = await environment.createTask(await environment.aWallet())
    const answers = [
      await environment.get('/tasks?limit=0'),
      await environment.get('/nothing'),
      await environment.post('/tasks', { body: '{' }),
      await environment.post('/tasks', { body: { description: { $ne: 1 }, reward: [], tags: {} } }),
      await environment.post(`/tasks/${taskId}/refund-expired`),
      await environment.post(`/tasks/${taskId}/accept`, { body: { worker: `0x${'12'.repeat(20)}` } }),
    ]
    for (const { status, text, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(body).toMatchObject({ error: expect.any(String), code: expect.any(String), service: expect.any(Object) })
      expect(text).not.toMatch(/\bat \/|node_modules|\.ts:|select |insert |\/work\/|\/home\/|postgres/i)
    }
  })
})
