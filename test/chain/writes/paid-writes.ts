import { join } from 'node:path'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../../ops/process/ports.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { type Api, startApi } from '../../../scripts/stack/api-process.ts'
import { aKey, createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createX402Fetch } from '../../support/x402-client.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { ACTION_FEE, cancelCall, createCall, REWARD } from './write-calls.ts'

let stack: TestStack
let wallets: Wallets

async function aClient(baseUnits?: bigint): Promise<PayingClient> {
  return createPayingClient({ baseUrl: stack.baseUrl(), account: await wallets.funded(baseUnits) })
}

/** A second service on the same database and the same relayers. */
async function startReplica(): Promise<Api> {
  const api = await startApi({
    port: await findFreePort(),
    databaseUrl: stack.logins.serviceUrl,
    rpcUrl: stack.anvil.url,
    deploymentFile: stack.deploymentFile,
    artifactDirectory: stack.artifactDirectory,
    relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
    urlSigningSecret: 'the secret of the tests, at least 32 bytes',
    logFile: join(stack.artifactDirectory, 'replica.log'),
    environment: { POLLING_INTERVAL_MS: '50' },
  })
  onTestFinished(() => api.stop())
  return api
}

async function readHeadersOf({ account }: PayingClient): Promise<Record<string, string>> {
  const message = `service:read:${account.address.toLowerCase()}`
  return {
    'X-Service-Caller-Address': account.address,
    'X-Service-Caller-Signature': await account.signMessage({ message }),
  }
}

function decodedRequirement(header: string) {
  return JSON.parse(Buffer.from(header, 'base64').toString()).accepted
}

/** Registers these tests, on a stack that the caller starts and ends. */
export function testPaidWrites(stackOf: () => TestStack): void {
  describe('paid writes', () => {
    beforeAll(() => {
      stack = stackOf()
      wallets = createWallets(stack)
    })

    describe('the challenge', () => {
      it('given no payment, then header and body have the same requirement, with exactly seven keys', async () => {
        const client = await aClient()
        const reply = await client.send(createCall())
        expect(reply.status).toBe(402)
        expect(decodePaymentRequiredHeader(reply.headers.get('payment-required') ?? '')).toEqual(reply.body)
        expect(Object.keys(reply.body).sort()).toEqual(['accepts', 'error', 'extensions', 'resource', 'x402Version'])
        const [requirement] = reply.body.accepts
        expect(Object.keys(requirement).sort()).toEqual(
          ['amount', 'asset', 'extra', 'maxTimeoutSeconds', 'network', 'payTo', 'scheme'].sort(),
        )
        expect(requirement).toMatchObject({ scheme: 'exact', network: 'eip155:8453', amount: String(REWARD) })
        expect(Object.keys(requirement.extra).sort()).toEqual(['eip712', 'name', 'version'])
        expect(requirement.payTo).toBe(stack.deployment.forwarder)
      })
    })

    describe('a paid create and cancel', () => {
      it('given a plain HTTP client, then the task exists after the answer and its escrow is refunded', async () => {
        const client = await aClient(2n * REWARD)
        const created = await client.pay(createCall())
        expect(created.status).toBe(200)
        const { taskId } = created.body
        expect(Object.keys(created.body)).toEqual(['success', 'taskId', 'intentId', 'taskDropId'])
        const receipt = decodePaymentResponseHeader(created.headers.get('payment-response') ?? '')
        expect(receipt).toMatchObject({ success: true, network: 'eip155:8453', payer: client.account.address })

        const task = await client.get(`/tasks/${taskId}`)
        expect(task.body).toMatchObject({
          id: taskId,
          status: 'open',
          requester: client.account.address,
          description: 'Translate a page',
          escrowTxHash: receipt.transaction,
          reward: String(REWARD),
        })
        expect(await wallets.balanceOf(client.account.address)).toBe(REWARD)

        const cancelled = await client.pay(cancelCall(taskId))
        expect(cancelled).toMatchObject({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
        expect((await client.get(`/tasks/${taskId}`)).body.status).toBe('cancelled')
        expect(await wallets.balanceOf(client.account.address)).toBe(2n * REWARD - ACTION_FEE)
      })

      it('given the x402 project’s client, then it completes both rounds', async () => {
        const account = await wallets.funded(2n * REWARD)
        const pay = createX402Fetch(account)
        const headers = () => ({ 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': aKey() })
        const { body } = createCall()
        const created = await pay(`${stack.baseUrl()}/api/tasks`, {
          method: 'POST',
          headers: headers(),
          body: JSON.stringify(body),
        })
        expect(created.status).toBe(200)
        const { taskId } = (await created.json()) as { taskId: string }
        const cancelled = await pay(`${stack.baseUrl()}/api/tasks/${taskId}/cancel`, {
          method: 'POST',
          headers: headers(),
        })
        expect(cancelled.status).toBe(200)
        expect(await wallets.balanceOf(account.address)).toBe(2n * REWARD - ACTION_FEE)
      })
    })

    describe('one key, many requests', () => {
      it('given sixteen simultaneous paid duplicates, then one wins, fifteen answers say so, and one payment is charged', async () => {
        const client = await aClient(20n * REWARD)
        const call = createCall()
        const requirement = await client.challenge(call)
        const payments = await Promise.all(Array.from({ length: 16 }, () => client.sign(requirement)))
        const replies = await Promise.all(payments.map((payment) => client.sendPaid(call, payment)))
        const winners = replies.filter(({ status }) => status === 200)
        const losers = replies.filter(({ status }) => status !== 200)
        expect(winners).toHaveLength(1)
        for (const { status, body } of losers) {
          expect({ status, reason: body.service.reason }).toEqual({ status: 409, reason: 'idempotency_key_reused' })
          expect(body.service.intentStatus).toMatch(/^(reserved|recorded|broadcast|completed)$/)
        }
        expect(await wallets.balanceOf(client.account.address)).toBe(19n * REWARD)
      })

      it('given the same request after its answer, then it has no effect, and the answer says so', async () => {
        const client = await aClient(2n * REWARD)
        const call = createCall()
        const created = await client.pay(call)
        const again = await client.send(call)
        expect(again).toMatchObject({
          status: 409,
          body: {
            service: {
              reason: 'idempotency_key_reused',
              intentStatus: 'completed',
              intentId: created.body.intentId,
              operation: 'tasks.create',
              idempotencyKey: call.key,
              txHash: expect.any(String),
            },
          },
        })
        expect(await wallets.balanceOf(client.account.address)).toBe(REWARD)
      })

      it('given one authorization under two keys at the same time, then one write is executed and the other’s answer names it', async () => {
        const client = await aClient(2n * REWARD)
        const [first, second] = [createCall(), createCall()]
        const requirement = await client.challenge(first)
        await client.challenge(second)
        const payment = await client.sign(requirement)
        const replies = await Promise.all([client.sendPaid(first, payment), client.sendPaid(second, payment)])
        const winner = replies.find(({ status }) => status === 200)
        const loser = replies.find(({ status }) => status !== 200)
        expect(loser).toMatchObject({
          status: 409,
          body: { service: { reason: 'payment_already_spent', intentId: winner?.body.intentId } },
        })
        expect(loser?.body.service.idempotencyKey).toBeUndefined()
        expect(await wallets.balanceOf(client.account.address)).toBe(REWARD)
      })
    })

    describe('two processes on one database', () => {
      it('given duplicates at both, then one wins, and every effect occurs once', async () => {
        const other = await startReplica()
        const account = await wallets.funded(9n * REWARD)
        const clients = [stack.baseUrl(), other.url].map((baseUrl) => createPayingClient({ baseUrl, account }))
        for (let round = 0; round < 4; round += 1) {
          const call = createCall()
          const replies = await Promise.all(
            clients.map(async (client) => {
              const first = await client.send(call)
              // Two processes may both answer 402; within one process the second request is refused while the first is
              // open.
              if (first.status !== 402) return first
              return await client.sendPaid(call, await client.sign(first.body.accepts[0]))
            }),
          )
          expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
          const [loser] = replies.filter(({ status }) => status !== 200)
          expect(loser).toMatchObject({ status: 409, body: { service: { reason: 'idempotency_key_reused' } } })
        }
        expect(await wallets.balanceOf(account.address)).toBe(5n * REWARD)
      })
    })

    describe('access to an intent', () => {
      it('given it is reserved, then it is readable by its key and not by its id', async () => {
        const client = await aClient()
        const call = createCall()
        await client.challenge(call)
        const byKey = await client.get(`/intents?idempotencyKey=${call.key}`)
        expect(byKey.body).toMatchObject({
          idempotencyKey: call.key,
          operation: 'tasks.create',
          status: 'reserved',
          txHash: null,
          terminalReason: null,
          taskId: null,
          refund: null,
        })
        const byId = await client.get(`/intents?intentId=${byKey.body.intentId}`)
        expect(byId).toMatchObject({ status: 404, body: { service: { reason: 'intent_not_found' } } })
      })

      it('given it is bound, then its payer can read it, and other callers get the answer of an unknown one', async () => {
        const client = await aClient()
        const other = await aClient()
        const call = createCall()
        const payment = await client.sign(await client.challenge(call))
        const { intentId, taskId } = (await client.sendPaid(call, payment)).body
        const expected = { intentId, taskId, status: 'completed', terminalReason: null, refund: null }

        for (const query of [`idempotencyKey=${call.key}`, `intentId=${intentId}`]) {
          const path = `/intents?${query}`
          expect((await client.get(path, await readHeadersOf(client))).body).toMatchObject(expected)
          expect((await client.get(path, { 'PAYMENT-SIGNATURE': payment.header })).body).toMatchObject(expected)

          const unknown = await client.get(`/intents?intentId=${aKey()}`)
          const signedByOther = await other.sign(decodedRequirement(payment.header), {
            nonce: payment.authorization.nonce,
          })
          const anotherPayment = await client.sign(decodedRequirement(payment.header))
          for (const headers of [
            {},
            await readHeadersOf(other),
            { 'PAYMENT-SIGNATURE': signedByOther.header },
            { 'PAYMENT-SIGNATURE': anotherPayment.header },
          ]) {
            const reply = await client.get(path, headers)
            expect({ status: reply.status, body: reply.body }).toEqual({ status: unknown.status, body: unknown.body })
          }
        }
      })

      it.each(['', '?intentId=1', `?intentId=${aKey()}&idempotencyKey=${aKey()}`])(
        'given the query "%s", then 400',
        async (query) => {
          expect((await (await aClient()).get(`/intents${query}`)).status).toBe(400)
        },
      )
    })
  })
}
