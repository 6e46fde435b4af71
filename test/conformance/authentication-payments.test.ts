import { beforeEach, describe, expect, test } from 'vitest'
import { localNetwork } from '../../scripts/contracts/network.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey, type WriteCall } from '../support/paying-client.ts'
import { createPayingFetch } from '../support/paying-fetch.ts'
import type { Authorization } from '../support/payment.ts'

const environment = openEnvironment()

let requester: Actor
beforeEach(async () => {
  requester = await environment.aWallet()
})

function aCall(): WriteCall {
  return { path: '/tasks', body: aTaskBody(), key: aKey() }
}

function decode(header: string | null) {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))
}

describe('Authentication: payments (x402), round one', () => {
  test('is in the answer twice: base64 in the header, JSON in the body', async () => {
    const answer = await environment.post('/tasks', { body: aTaskBody() })
    expect(answer.status).toBe(402)
    expect(decode(answer.headers.get('payment-required'))).toEqual(answer.body)
    expect(answer.body).toMatchObject({
      x402Version: 2,
      error: expect.stringMatching(/./),
      resource: {
        url: `${environment.baseUrl}/api/tasks`,
        description: expect.any(String),
        mimeType: 'application/json',
      },
    })
  })

  test('requires one payment, an object of exactly seven keys', async () => {
    const { body } = await environment.post('/tasks', { body: aTaskBody({ reward: '2000000' }) })
    const { usdc, forwarder } = environment.chain.deployment
    const word = (name: string, type: string) => ({ name, type })
    expect(body.accepts).toEqual([
      {
        scheme: 'exact',
        network: `eip155:${localNetwork.chainId}`,
        asset: usdc,
        amount: '2000000',
        payTo: forwarder,
        maxTimeoutSeconds: 300,
        extra: {
          name: localNetwork.usdc.name,
          version: '2',
          eip712: {
            domain: {
              name: localNetwork.usdc.name,
              version: '2',
              chainId: localNetwork.chainId,
              verifyingContract: usdc,
            },
            types: {
              TransferWithAuthorization: [
                word('from', 'address'),
                word('to', 'address'),
                word('value', 'uint256'),
                word('validAfter', 'uint256'),
                word('validBefore', 'uint256'),
                word('nonce', 'bytes32'),
              ],
            },
            primaryType: 'TransferWithAuthorization',
          },
        },
      },
    ])
  })
})

describe('Authentication: payments (x402), round two', () => {
  test('pays with @x402/fetch, which reads the header, within its spend controls', async () => {
    const paidFetch = createPayingFetch(environment, requester, { spendControls: { maxAmountPerPayment: '$5' } })
    const create = (reward: string) =>
      paidFetch(`${environment.baseUrl}/api/tasks`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': aKey() },
        body: JSON.stringify(aTaskBody({ reward })),
      })
    const money = await environment.chain.watch({ requester: requester.address })
    const response = await create('4000000')
    expect(response.status).toBe(200)
    expect(await money.changes()).toEqual({ requester: -4_000_000n })
    const { taskId } = (await response.json()) as { taskId: string }
    expect((await environment.get(`/tasks/${taskId}`)).body.requester).toBe(requester.account.address)
    await expect(create('6000000')).rejects.toThrow()
    expect(await money.changes()).toEqual({ requester: -4_000_000n })
  })

  test('pays a bodyless write with @x402/fetch', async () => {
    const taskId = await environment.createTask(requester)
    const money = await environment.chain.watch({ requester: requester.address })
    const paidFetch = createPayingFetch(environment, requester, { spendControls: {} })
    const response = await paidFetch(`${environment.baseUrl}/api/tasks/${taskId}/cancel`, {
      method: 'POST',
      headers: { 'X-Service-Idempotency-Key': aKey() },
    })
    expect(response.status).toBe(200)
    expect(await money.changes()).toEqual({ requester: 1_999_000n })
  })

  test('returns the settlement receipt in PAYMENT-RESPONSE; the payer is the actor', async () => {
    const { headers, body } = await environment.pay(requester, '/tasks', aTaskBody())
    const receipt = decode(headers.get('payment-response'))
    expect(receipt).toMatchObject({
      success: true,
      network: `eip155:${localNetwork.chainId}`,
      payer: requester.account.address,
    })
    const created = (await environment.chain.marketLogs(receipt.transaction)).find(
      ({ eventName }) => eventName === 'TaskCreated',
    )
    expect(created?.args).toMatchObject({ taskId: body.taskId, requester: requester.account.address })
  })

  const day = 86_400n
  test.each<[string, (now: bigint) => Partial<Authorization>]>([
    ['with too small a value', () => ({ value: '1999999' })],
    ['that expires in a day', (now) => ({ validBefore: String(now + day) })],
  ])('refuses an authorization %s: 402 again, nothing is charged', async (_name, changesAt) => {
    const client = await environment.clientOf(requester)
    const call = aCall()
    const requirement = await client.challenge(call)
    const money = await environment.chain.watch({ requester: requester.address })
    const payment = await client.sign(requirement, changesAt(await environment.chain.headTime()))
    const refused = await client.sendPaid(call, payment)
    const body = expectRefusal(refused, 402, 'payment_rejected')
    expect(body.service).toMatchObject({
      idempotencyKey: call.key,
      operation: 'tasks.create',
      intentStatus: 'reserved',
    })
    // The same challenge again, in header and body.
    expect(body.accepts).toEqual([requirement])
    expect(decode(refused.headers.get('payment-required')).accepts).toEqual([requirement])
    expect(await money.changes()).toEqual({ requester: 0n })
    // The key can still be used.
    expect((await client.sendPaid(call, await client.sign(requirement))).status).toBe(200)
  })
})
