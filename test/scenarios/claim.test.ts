import { describe, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'
import { startScenario } from './scenario.ts'

const environment = openEnvironment()

const ninetyDays = 90n * 86_400n
/** A tenth of 2 USDC. */
const stake = 200_000n
const withStake = aClaimTask({ stakeBps: 1000 })

const openOffers = ['update by requester for 1000', 'cancel by requester for 1000']
const refundOffers = ['refund_expired by anyone for 1000', 'refund_expired by requester for 1000']

/** Unix seconds of a time in an answer. */
const toSeconds = (iso: string) => BigInt(Date.parse(iso) / 1000)

describe('A task to claim', () => {
  test('given a claim without a delivery, when it is forfeited after the expiry, then the stake is lost and another worker can claim', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: withStake })
    await scenario.perform('alice', 'claim')
    await scenario.expectRefusal('requester', 'forfeit', { status: 409 })
    await scenario.expectBalanceChanges({ requester: -2_000_000n, alice: -stake, market: 2_000_000n + stake })
    await scenario.advanceTo((await scenario.task()).expiryTime)
    await scenario.expectTask({ status: 'claimed', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await scenario.expectOffers(['forfeit by requester', ...refundOffers])
    await scenario.expectRefusal('alice', 'submit', { status: 409 })
    await scenario.expectRefusal('bob', 'forfeit', { status: 403 })

    await scenario.perform('requester', 'forfeit')
    await scenario.expectBalanceChanges({ market: -stake, feeRecipient: stake })
    await scenario.expectTask({ status: 'open', phase: 'awaiting_settlement', claimedBy: null, claimRound: 1 })
    await scenario.expectOffers([...openOffers, ...refundOffers])
    await scenario.expectRefusal('bob', 'claim', { status: 409 })
    await scenario.perform('requester', 'update', { expiryTime: Number(await environment.chain.headTime()) + 86_400 })
    await scenario.expectTask({ status: 'open', phase: 'active' })

    await scenario.perform('bob', 'claim')
    await scenario.perform('bob', 'submit')
    await scenario.perform('requester', 'accept', { worker: 'bob' })
    await scenario.expectBalanceChanges({
      requester: -2_000n,
      forwarder: 2_000n,
      market: -2_000_000n,
      bob: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await scenario.perform('requester', 'rate', { worker: 'bob', rating: 95 })
    await scenario.expectAwards([{ worker: 'bob', gross: '2000000', net: '1850000', fee: '150000', rating: 95 }])
  })

  test('given a delivery without a decision, then the worker is paid 90 days after the expiry and can be rated', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: withStake })
    await scenario.perform('alice', 'claim')
    await scenario.perform('alice', 'submit')
    const expiry = toSeconds((await scenario.task()).expiryTime)
    await scenario.advanceTo(expiry)
    await scenario.expectTask({ status: 'pending_approval', phase: 'active' })
    await scenario.expectOffers(['accept by requester for 1000'])
    await scenario.expectRefusal('bob', 'refund_expired', { status: 409 })
    await scenario.advanceTo(expiry + ninetyDays - 7n * 86_400n - 1n)
    await scenario.expectOffers(['accept by requester for 1000'])
    await scenario.advanceTo(expiry + ninetyDays - 7n * 86_400n)
    await scenario.expectOffers(['accept by requester for 1000', 'settle_stale by anyone'])
    await scenario.expectRefusal('bob', 'settle_stale', { status: 409 })
    await scenario.advanceTo(expiry + ninetyDays)
    await scenario.expectOffers(['accept by requester for 1000', 'settle_stale by anyone'])
    await scenario.perform('bob', 'settle_stale')
    await scenario.expectBalanceChanges({ requester: -2_000_000n, alice: 1_850_000n, feeRecipient: 150_000n })
    await scenario.expectAwards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000' }])
    await scenario.perform('requester', 'rate', { worker: 'alice', rating: 50 })
    await scenario.expectAwards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000', rating: 50 }])
  })
})
