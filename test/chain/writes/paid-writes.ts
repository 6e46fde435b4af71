import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../../ops/process/ports.ts'
import { devRelayers } from '../../../scripts/chain/dev-accounts.ts'
import { type Api, startApi } from '../../../scripts/stack/api-process.ts'
import { createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { createCall, REWARD } from './write-calls.ts'

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
  })
}
