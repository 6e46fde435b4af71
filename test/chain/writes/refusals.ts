import { beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { createPayingClient, type PayingClient } from '../../support/paying-client.ts'
import type { TestStack } from '../../support/stack.ts'
import { cancelAuthorization, submitAlone } from './usdc-calls.ts'
import { createWallets, type Wallets } from './wallets.ts'
import { createCall } from './write-calls.ts'

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

    describe('an invalid payment', () => {
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
  })
}
