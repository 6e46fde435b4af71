import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from './scenario.ts'

/** The evaluator flow of a single worker, to the base unit. Interface, "Evaluator flow". */

const environment = openEnvironment()

const actors = ['alice', 'bob', 'evaluator', 'resolver'] as const
/** A tenth for the evaluator, a tenth of the reward at stake; both windows a day. */
const withEvaluator = {
  mode: 'claim',
  reward: '2000003',
  stakeRequired: true,
  stakeBps: 1000,
  evaluator: 'evaluator',
  evaluatorFeeBps: 1000,
  disputeResolver: 'resolver',
  evaluationWindowHours: 24,
  appealWindowHours: 24,
}
/** floor(2000003 / 10): the stake of alice, and the evaluator's fee. */
const tenth = 200_000n
const day = 86_400_000

/** Alice has claimed and delivered; the balances are recorded. */
async function aDelivery() {
  const scenario = await startScenario(environment, { actors, task: withEvaluator })
  await scenario.perform('alice', 'claim')
  await scenario.perform('alice', 'submit')
  await scenario.expectBalanceChanges({ requester: -2_000_003n, alice: -tenth, market: 2_000_003n + tenth })
  return scenario
}

const timeOf = (iso: string | null) => BigInt(Date.parse(iso ?? '') / 1000)

describe('A claim with an evaluator', () => {
  test('given an approval without awards, then the worker gets the reward less the evaluator’s fee, and the stake', async () => {
    const scenario = await aDelivery()
    const { evaluatorDeadline, expiryTime, createdAt } = await scenario.task()
    await scenario.expectTask({
      status: 'review',
      phase: 'in_review',
      submissionWindowOpen: false,
      claimedBy: 'alice',
      evaluator: 'evaluator',
      disputeResolver: 'resolver',
      evaluatorFeeBps: 1000,
      evaluatorStake: '0',
      evaluationWindow: 86_400,
      appealWindow: 86_400,
      appealDeadline: null,
      verdictType: null,
      // 1800003 less floor(1800003 * 0.075) = 135000.
      netReward: '1665003',
    })
    // Delivered a moment after the creation: the window ends after the expiry and extends it.
    expect(Date.parse(evaluatorDeadline)).toBeGreaterThan(Date.parse(createdAt) + day - 1000)
    expect(expiryTime).toBe(evaluatorDeadline)
    await scenario.expectOffers(['evaluate by evaluator for 1000'])
    await scenario.expectRefusal('requester', 'accept', { status: 409, fields: { worker: 'alice' } })
    await scenario.expectRefusal('requester', 'cancel', { status: 409 })
    await scenario.expectRefusal('requester', 'object', { status: 409 })
    await scenario.expectRefusal('requester', 'evaluator_timeout', { status: 409 })
    await scenario.expectBalanceChanges({})

    const evidenceHash = `0x${'e7'.repeat(32)}`
    await scenario.perform('evaluator', 'evaluate', { verdict: 'approve', score: 870, confidence: 0, evidenceHash })
    await scenario.expectBalanceChanges({ evaluator: tenth - 1_000n, forwarder: 1_000n, market: -tenth })
    await scenario.expectTask({
      status: 'appealing',
      phase: 'in_review',
      verdictType: 'APPROVE',
      verdictScore: 870,
      verdictConfidence: 0,
      verdictEvidenceHash: evidenceHash,
      claimedBy: 'alice',
      awards: [],
    })
    const { appealDeadline, expiryTime: raised } = await scenario.task()
    expect(raised).toBe(appealDeadline)
    await scenario.expectOffers(['appeal by alice for 1000'])
    await scenario.expectRefusal('bob', 'finalize_verdict', { status: 409 })

    await scenario.advanceTo(timeOf(appealDeadline))
    await scenario.expectOffers(['finalize_verdict by anyone'])
    await scenario.expectRefusal('alice', 'appeal', { status: 409 })
    await scenario.expectRefusal('bob', 'refund_expired', { status: 409 })
    await scenario.expectBalanceChanges({})
    await scenario.perform('bob', 'finalize_verdict')
    await scenario.expectBalanceChanges({
      alice: 1_665_003n + tenth,
      feeRecipient: 135_000n,
      market: -1_800_003n - tenth,
    })
    await scenario.expectAwards([{ worker: 'alice', gross: '1800003', net: '1665003', fee: '135000' }])
    await scenario.expectTask({ status: 'completed', phase: 'resolved', selfAward: false, verdictType: 'APPROVE' })
    await scenario.expectOffers(['rate alice by requester for 1000'])
    await scenario.perform('requester', 'rate', { worker: 'alice', rating: 70 })
    await scenario.expectOffers([])
  })

  test('given a rejection and an appeal, when the resolver decides for the worker, then the worker is paid', async () => {
    const scenario = await aDelivery()
    await scenario.perform('evaluator', 'evaluate', { verdict: 'reject' })
    for (const who of ['bob', 'requester', 'evaluator', 'resolver'] as const) {
      await scenario.expectRefusal(who, 'appeal', { status: 403 })
    }
    await scenario.perform('alice', 'appeal')
    await scenario.expectTask({ status: 'disputed', phase: 'in_review', verdictType: 'REJECT' })
    await scenario.expectBalanceChanges({
      evaluator: tenth - 1_000n,
      alice: -1_000n,
      forwarder: 2_000n,
      market: -tenth,
    })
    await scenario.expectOffers(['resolve_dispute by resolver for 1000'])
    const awards = [{ worker: 'alice', amount: '1800003', rank: 1 }]
    await scenario.expectRefusal('evaluator', 'resolve_dispute', {
      status: 403,
      fields: { verdict: 'approve', awards },
    })
    await scenario.expectRefusal('bob', 'finalize_verdict', { status: 409 })
    const oneTooMany = [{ worker: 'alice', amount: '1800004', rank: 1 }]
    await scenario.expectRefusal('resolver', 'resolve_dispute', {
      status: 400,
      fields: { verdict: 'approve', awards: oneTooMany },
    })
    await scenario.perform('resolver', 'resolve_dispute', { verdict: 'approve', awards })
    await scenario.expectBalanceChanges({
      resolver: -1_000n,
      forwarder: 1_000n,
      alice: 1_665_003n + tenth,
      feeRecipient: 135_000n,
      market: -1_800_003n - tenth,
    })
    await scenario.expectAwards([{ worker: 'alice', gross: '1800003', net: '1665003', fee: '135000' }])
    // The answer has the evaluator's verdict.
    const resolution = { verdict: 'APPROVE', resolver: 'resolver', resolvedAt: expect.any(String) }
    await scenario.expectTask({ status: 'completed', verdictType: 'REJECT', resolution })
  })
})
