import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { aPendingRefund, takeTurn, withWeiPerUsdc } from './refunds.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness({ beforeBound: true })
})
afterAll(() => harness?.stop())

const stranger = devAccount('bob').account.address

describe('a deployment from before bound payments', () => {
  it('given payments, then they act, also where another account submitted one first', async () => {
    expect(harness.deps.deployment.bound).toBeUndefined()
    const [first, second] = [await harness.wallets.funded(REWARD), await harness.wallets.funded(REWARD)]
    const [paid, prepaid] = [await harness.bindCreate(first), await harness.bindCreate(second)]
    await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(prepaid)))
    const loops = await harness.startRelay()
    try {
      expect(await harness.outcomeOf(paid.id)).toMatchObject({ status: 'completed', relay: { mode: 'paid' } })
      expect(await harness.outcomeOf(prepaid.id)).toMatchObject({ status: 'completed', relay: { mode: 'prepaid' } })
    } finally {
      await loops.stop()
    }
  })

  it('given a payment above the limit of later forwarders, then it goes back at once', async () => {
    const value = 100n * REWARD
    const signer = await harness.wallets.funded(value)
    const intent = await aPendingRefund(harness, { signer, value })
    await takeTurn(withWeiPerUsdc(harness.deps, Number.MAX_SAFE_INTEGER), intent)
    expect(await harness.find(intent.id)).toMatchObject({ refundStatus: 'refunded' })
    expect(await harness.wallets.balanceOf(signer.address)).toBe(value)
  })
})
