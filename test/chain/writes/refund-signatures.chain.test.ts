import { randomUUID } from 'node:crypto'
import type { Address, LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../api/errors/service-error.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import type { PaymentAuthorization } from '../../../api/payments/authorization.ts'
import { authorizationTypedData, toTransfer } from '../../../api/payments/authorization.ts'
import { paymentRequirement } from '../../../api/payments/challenge.ts'
import { acceptPayment } from '../../../api/writes/stages/accept-payment.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { putScriptedWallet, type ScriptedWallet } from '../../support/scripted-contracts.ts'
import { aPendingRefund, refusingWhenMined, takeTurn, withWeiPerUsdc } from './refunds.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())

const [firstKey, secondKey, thirdKey] = [
  devAccount('alice').account,
  devAccount('bob').account,
  devAccount('carol').account,
]

interface Owed {
  payer: Address
  wallet: ScriptedWallet
  intent: BoundIntent
}

/** A refund owed to a contract wallet that signed with its first key and now accepts the second key only. */
async function aRefundOfAnOldKey(): Promise<Owed> {
  const { address: payer } = await harness.wallets.funded(REWARD)
  const wallet = await putScriptedWallet(harness.stack.anvil, payer)
  await wallet.own(firstKey.address)
  const intent = await aPendingRefund(harness, { signer: firstKey, payer })
  await wallet.own(secondKey.address)
  return { payer, wallet, intent }
}

/** Presents the intent's payment for another create, signed by this key; returns the refusal. */
async function present(
  { intent }: Owed,
  signer: LocalAccount,
  changes: Partial<PaymentAuthorization> = {},
): Promise<ServiceError> {
  const { deps } = harness
  if (signer.signTypedData === undefined) throw new Error('no key')
  const { signature: _, ...unsigned } = { ...getPayment(intent), ...changes }
  const typedData = authorizationTypedData(
    deps.deployment,
    toTransfer(deps.deployment, { ...unsigned, signature: '0x' }),
  )
  const signature = await signer.signTypedData(typedData as never)
  const wire = Object.fromEntries(Object.entries(unsigned).map(([name, value]) => [name, String(value)]))
  const requirement = paymentRequirement(deps.deployment, REWARD)
  const payload = { signature, authorization: { ...wire, to: deps.deployment.forwarder } }
  const header = Buffer.from(JSON.stringify({ x402Version: 2, accepted: requirement, payload })).toString('base64')
  const idempotencyKey = randomUUID()
  const refusal = await acceptPayment(deps, {
    header,
    requirement,
    ...(await deps.chain.latestClocks()),
    operation: 'tasks.create',
    intent: { idempotencyKey },
    reject: ({ message, detail }) => new ServiceError(402, 'payment_rejected', message, { detail }),
  }).then(
    () => null,
    (error: unknown) => error,
  )
  if (!(refusal instanceof ServiceError)) throw new Error('a payment with an owed refund was accepted')
  return refusal
}

const refundOf = async ({ intent }: Owed) => await harness.find(intent.id)
const generous = () => withWeiPerUsdc(harness.deps, Number.MAX_SAFE_INTEGER)

describe('a refund to a contract wallet whose key changed', () => {
  it('given the payment is presented with the new key’s signature, then the refund uses that signature', async () => {
    const owed = await aRefundOfAnOldKey()
    await takeTurn(generous(), owed.intent)
    expect(await refundOf(owed)).toMatchObject({ refundStatus: 'pending', refundSignature: null })
    expect(await harness.attemptsOf(owed.intent.id)).toEqual([])
    expect(await present(owed, secondKey)).toMatchObject({
      status: 409,
      reason: 'payment_already_spent',
      options: { intent: { intentId: owed.intent.id } },
    })
    expect(getPayment(await refundOf(owed))).toEqual(getPayment(owed.intent))
    await takeTurn(generous(), owed.intent)
    expect(await refundOf(owed)).toMatchObject({ refundStatus: 'refunded' })
    expect(await harness.wallets.balanceOf(owed.payer)).toBe(REWARD)
  })

  it('given an invalid signature, or one of other terms, then it is not stored', async () => {
    const owed = await aRefundOfAnOldKey()
    expect(await present(owed, thirdKey)).toMatchObject({ reason: 'payment_rejected' })
    await present(owed, secondKey, { validBefore: getPayment(owed.intent).validBefore + 1n })
    // The first one is the payment's signature, and is answered without a check.
    expect(await present(owed, firstKey)).toMatchObject({ reason: 'payment_already_spent' })
    expect(await refundOf(owed)).toMatchObject({ refundStatus: 'pending', refundSignature: null })
  })

  it('given a refund failed to an operator, then a newer signature retries it once, and no other does', async () => {
    const owed = await aRefundOfAnOldKey()
    await owed.wallet.own(null)
    const refusing = refusingWhenMined(generous(), owed.wallet)
    for (let time = 0; time < 5; time += 1) await takeTurn(refusing, owed.intent)
    expect(await refundOf(owed)).toMatchObject({ refundStatus: 'failed' })
    await present(owed, secondKey)
    expect(await refundOf(owed)).toMatchObject({ refundStatus: 'pending', refundAttemptsLeft: 1 })
    await takeTurn(refusing, owed.intent)
    await present(owed, thirdKey)
    expect(await refundOf(owed)).toMatchObject({ refundStatus: 'failed' })
    expect(await harness.attemptsOf(owed.intent.id)).toHaveLength(6)
    const [row] = await harness.deps.sql`select retry_refund(${owed.intent.id}) as retried`
    expect(row).toEqual({ retried: true })
    await owed.wallet.own(thirdKey.address)
    await takeTurn(generous(), owed.intent)
    expect(await refundOf(owed)).toMatchObject({ refundStatus: 'refunded' })
  })

  it('given a payment that never funded a write, then its answer has the state of the refund', async () => {
    const owed = await aRefundOfAnOldKey()
    await harness.deps.sql`
      update intents set facts = ${harness.deps.sql.json({ stray: 'true' })}, refund_status = 'failed',
        refund_renewed = true
      where id = ${owed.intent.id}`
    expect((await present(owed, secondKey)).message).toContain('left to the operator')
    await harness.deps.sql`select retry_refund(${owed.intent.id})`
    expect((await present(owed, secondKey)).message).toContain('goes back to the payer')
  })
})
