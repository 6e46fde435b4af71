import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../../ops/process/ports.ts'
import { devAccount, devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { type Api, startApi } from '../../../scripts/stack/api-process.ts'
import { createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { submitAlone } from './usdc-calls.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { createCall, REWARD } from './write-calls.ts'

const stranger = devAccount('bob').account.address
const POLLING = { interval: 20 }

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

/** Registers these tests, on a stack that the caller starts and ends. */
export function testPaidWrites(stackOf: () => TestStack): void {
  describe('paid writes', () => {
    beforeAll(() => {
      stack = stackOf()
      wallets = createWallets(stack)
    })

    it('given sixteen simultaneous paid duplicates at two processes, then one wins, fifteen answers say so, and one payment is charged', async () => {
      const other = await startReplica()
      const account = await wallets.funded(20n * REWARD)
      const clients = [stack.baseUrl(), other.url].map((baseUrl) => createPayingClient({ baseUrl, account }))
      const call = createCall()
      const signed = clients.map(async (client) => {
        const requirement = await client.challenge(call)
        const payments = await Promise.all(Array.from({ length: 8 }, () => client.sign(requirement)))
        return payments.map((payment) => () => client.sendPaid(call, payment))
      })
      const replies = await Promise.all((await Promise.all(signed)).flat().map((send) => send()))
      const losers = replies.filter(({ status }) => status !== 200)
      expect(losers).toHaveLength(15)
      for (const { status, body } of losers) {
        expect({ status, reason: body.service.reason }).toEqual({ status: 409, reason: 'idempotency_key_reused' })
        expect(body.service.intentStatus).toMatch(/^(reserved|recorded|broadcast|completed)$/)
      }
      expect(await wallets.balanceOf(account.address)).toBe(19n * REWARD)
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
}
