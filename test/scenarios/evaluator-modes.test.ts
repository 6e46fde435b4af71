import { describe, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from './scenario.ts'

/** The evaluator flow of auctions and pitches: fees and awards are parts of the accepted price. */

const environment = openEnvironment()

const actors = ['alice', 'bob', 'evaluator', 'resolver'] as const
const evaluationTerms = { evaluator: 'evaluator', evaluatorFeeBps: 1000, disputeResolver: 'resolver' }

describe('An auction with an evaluator', () => {
  test('given an english auction, then fee and award are paid from the lowest bid; the surplus was refunded at selection', async () => {
    const terms = { mode: 'auction', auctionType: 'english', reward: '2000003', maxPrice: '2000003', bidDeadline: 1 }
    const scenario = await startScenario(environment, { actors, task: { ...terms, ...evaluationTerms } })
    for (const role of ['evaluator', 'resolver'] as const) {
      await scenario.expectRefusal(role, 'bid', { status: 403, fields: { price: '5000' } })
    }
    await scenario.perform('alice', 'bid', { price: '1500001' })
    await scenario.expectRefusal('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'bob' } })
    await scenario.advanceTo((await scenario.task()).bidDeadline)
    await scenario.perform('bob', 'select_winner')
    await scenario.expectBalanceChanges({
      requester: -1_500_001n,
      alice: -1_000n,
      forwarder: 1_000n,
      market: 1_500_001n,
    })
    // floor(1500001 / 10) = 150000 is the evaluator's fee; the platform's fee on 1350001 is floor(1350001 * 0.075) =
    // 101250.
    await scenario.expectTask({ netReward: '1248751' })
    await scenario.perform('alice', 'submit')
    await scenario.expectTask({ status: 'review', phase: 'in_review' })
    const awards = (amount: string) => [{ worker: 'alice', amount, rank: 1 }]
    await scenario.expectRefusal('evaluator', 'evaluate', {
      status: 400,
      fields: { verdict: 'partial', awards: awards('1350002') },
    })
    await scenario.perform('evaluator', 'evaluate', { verdict: 'partial', awards: awards('1350001') })
    await scenario.expectBalanceChanges({ evaluator: 149_000n, forwarder: 1_000n, market: -150_000n })
    await scenario.advanceTo((await scenario.task()).appealDeadline)
    await scenario.perform('bob', 'finalize_verdict')
    await scenario.expectBalanceChanges({ alice: 1_248_751n, feeRecipient: 101_250n, market: -1_350_001n })
    await scenario.expectAwards([{ worker: 'alice', gross: '1350001', net: '1248751', fee: '101250' }])
  })
})
