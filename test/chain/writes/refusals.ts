import { randomUUID } from 'node:crypto'
import { zeroHash } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { aKey, createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import type { Authorization } from '../../support/payment.ts'
import type { TestStack } from '../../support/stack.ts'
import { cancelAuthorization, submitAlone } from './usdc-calls.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { cancelCall, createCall, REWARD } from './write-calls.ts'

let stack: TestStack
let wallets: Wallets

async function aClient(baseUnits?: bigint): Promise<PayingClient> {
  return createPayingClient({ baseUrl: stack.baseUrl(), account: await wallets.funded(baseUnits) })
}

const stranger = devAccount('bob').account.address
const POLLING = { interval: 20 }

/** Registers these tests, on a stack that the caller starts and ends. */
export function testRefusals(stackOf: () => TestStack): void {
  describe('refusals of paid writes', () => {
    beforeAll(() => {
      stack = stackOf()
      wallets = createWallets(stack)
    })

    describe('before the challenge', () => {
      it.each([undefined, '', 'not-a-uuid', `${randomUUID()}0`])(
        'given the key %s, then idempotency_key_required',
        async (key) => {
          const response = await fetch(`${stack.baseUrl()}/api/tasks`, {
            method: 'POST',
            headers: {
              'Content-Type': 'application/json',
              ...(key !== undefined && { 'X-Service-Idempotency-Key': key }),
            },
            body: JSON.stringify(createCall().body),
          })
          expect(response.status).toBe(400)
          expect(await response.json()).toMatchObject({
            code: 'BAD_REQUEST',
            service: { reason: 'idempotency_key_required' },
          })
        },
      )

      it('given the key of another operation, then idempotency_key_conflict', async () => {
        const client = await aClient()
        const { body } = await client.pay(createCall())
        const call = createCall()
        await client.challenge(call)
        const reply = await client.send({ ...cancelCall(body.taskId), key: call.key })
        expect(reply).toMatchObject({
          status: 409,
          body: { service: { reason: 'idempotency_key_conflict', operation: 'tasks.create' } },
        })
      })

      it('given the key with other arguments, then idempotency_key_payload_mismatch; spelling makes no difference', async () => {
        const client = await aClient()
        const call = createCall()
        await client.challenge(call)
        const other = await client.send(createCall({ key: call.key, body: { reward: '2000000' } }))
        expect(other).toMatchObject({ status: 409, body: { service: { reason: 'idempotency_key_payload_mismatch' } } })
        const reordered = Object.fromEntries(Object.entries(call.body as object).reverse())
        expect(await client.send({ ...call, body: { ...reordered, unknown: 1 } })).toMatchObject({ status: 402 })
      })

      it.each([
        ['bad input', 400, createCall({ body: { reward: '0' } })],
        ['no such task', 404, cancelCall(zeroHash)],
        ['an invalid task id', 400, { path: '/tasks/0x12/cancel', key: aKey() }],
        [
          'another task in the body',
          400,
          { path: `/tasks/${zeroHash}/accept`, key: aKey(), body: { taskId: '0x1', worker: stranger } },
        ],
      ])('given %s, then payment_preflight_rejected %i', async (_name, status, call) => {
        const reply = await (await aClient()).send({ ...call, key: aKey() })
        expect(reply).toMatchObject({ status, body: { service: { reason: 'payment_preflight_rejected' } } })
      })
    })

    describe('an invalid payment', () => {
      const now = async () => (await stack.client.getBlock()).timestamp
      const changes: [string, () => Promise<Partial<Authorization>>][] = [
        ['has another amount', async () => ({ value: String(REWARD - 1n) })],
        ['has another receiver', async () => ({ to: stranger })],
        ['is not valid yet', async () => ({ validAfter: String((await now()) + 60n) })],
        ['expires too soon', async () => ({ validBefore: String((await now()) + 20n) })],
        ['is valid too long', async () => ({ validBefore: String((await now()) + 5_000n) })],
        ['has another payer', async () => ({ from: stranger })],
      ]
      it.each(changes)(
        'given an authorization that %s, then 402 again with challenge and envelope, and nothing is charged',
        async (_name, change) => {
          const client = await aClient()
          const before = await wallets.balanceOf(client.account.address)
          const call = createCall()
          const requirement = await client.challenge(call)
          const reply = await client.sendPaid(call, await client.sign(requirement, await change()))
          expect(reply).toMatchObject({
            status: 402,
            body: { accepts: [requirement], service: { reason: 'payment_rejected', intentStatus: 'reserved' } },
          })
          expect(reply.headers.get('payment-required')).not.toBeNull()
          expect(await wallets.balanceOf(client.account.address)).toBe(before)
          expect((await client.sendPaid(call, await client.sign(requirement))).status).toBe(200)
        },
      )

      it('given a balance below its amount, then 402 payment_rejected', async () => {
        const client = await aClient(REWARD - 1n)
        expect(await client.pay(createCall())).toMatchObject({
          status: 402,
          body: { service: { reason: 'payment_rejected' } },
        })
      })

      it('given a header that is not a payment, then 400 payment_rejected', async () => {
        const client = await aClient()
        const call = createCall()
        await client.challenge(call)
        const reply = await client.send({ ...call, headers: { 'PAYMENT-SIGNATURE': 'bm90IGEgcGF5bWVudA==' } })
        expect(reply).toMatchObject({ status: 400, body: { service: { reason: 'payment_rejected' } } })
      })

      it('given an authorization the payer cancelled, then 402 payment_rejected', async () => {
        const client = await aClient()
        const call = createCall()
        const payment = await client.sign(await client.challenge(call))
        await wallets.sendAs(
          stranger,
          await cancelAuthorization(stack.deployment, client.account, payment.authorization.nonce),
        )
        expect(await client.sendPaid(call, payment)).toMatchObject({
          status: 402,
          body: { service: { reason: 'payment_rejected' } },
        })
      })

      it('given an authorization that was settled before the request, then 409 without an intent, and a refund', async () => {
        const client = await aClient()
        const call = createCall()
        const before = await wallets.balanceOf(client.account.address)
        const { authorization, signature, header } = await client.sign(await client.challenge(call))
        await wallets.sendAs(stranger, submitAlone(stack.deployment, { ...authorization, signature }))
        expect(await wallets.balanceOf(client.account.address)).toBe(before - BigInt(authorization.value))
        for (let presented = 0; presented < 2; presented += 1) {
          const reply = await client.sendPaid(call, { authorization, signature, header })
          expect(reply).toMatchObject({ status: 409, body: { service: { reason: 'payment_already_spent' } } })
          expect(reply.body.service.intentId).toBeUndefined()
        }
        await expect.poll(() => wallets.balanceOf(client.account.address), POLLING).toBe(before)
        const retried = await client.pay(call)
        expect(retried.status).toBe(200)
        expect(await wallets.balanceOf(client.account.address)).toBe(before - BigInt(authorization.value))
      })
    })

    describe('a payer without the role', () => {
      it('given another wallet cancels, then 403 payment_preflight_rejected before anything settles', async () => {
        const owner = await aClient()
        const { taskId } = (await owner.pay(createCall())).body
        const other = await aClient()
        const before = await wallets.balanceOf(other.account.address)
        expect(await other.pay(cancelCall(taskId))).toMatchObject({
          status: 403,
          body: { service: { reason: 'payment_preflight_rejected', intentStatus: 'reserved' } },
        })
        expect(await wallets.balanceOf(other.account.address)).toBe(before)
        expect((await owner.get(`/tasks/${taskId}`)).body.status).toBe('open')
      })
    })

    describe('a call that would revert', () => {
      it('given the task was cancelled meanwhile, then 409, nothing is charged, and the key can still be used', async () => {
        const client = await aClient()
        const { taskId } = (await client.pay(createCall())).body
        const late = cancelCall(taskId)
        const payment = await client.sign(await client.challenge(late))
        expect((await client.pay(cancelCall(taskId))).status).toBe(200)
        const before = await wallets.balanceOf(client.account.address)
        const reply = await client.sendPaid(late, payment)
        expect(reply).toMatchObject({ status: 409, body: { service: { reason: 'payment_preflight_rejected' } } })
        expect(await wallets.balanceOf(client.account.address)).toBe(before)
        expect((await client.get(`/intents?idempotencyKey=${late.key}`)).body).toMatchObject({ status: 'reserved' })
      })
    })
  })
}
