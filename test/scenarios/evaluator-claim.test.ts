import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { deepTest } from '../support/deep-test.ts'
import { startScenario } from '../support/scenarios/scenario.ts'

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
async function aDelivery(fields: object = {}) {
  const scenario = await startScenario(environment, { actors, task: { ...withEvaluator, ...fields } })
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

  deepTest(
    'given an approval in part, then the rest is refunded, and without a resolver no appeal is possible',
    async () => {
      const scenario = await aDelivery({ disputeResolver: undefined })
      await scenario.perform('evaluator', 'evaluate', {
        verdict: 'partial',
        awards: [{ worker: 'alice', amount: '1000001', rank: 9 }],
      })
      await scenario.expectTask({
        verdictType: 'PARTIAL',
        verdictScore: 1000,
        verdictConfidence: 1000,
        disputeResolver: null,
      })
      await scenario.expectTask({ verdictEvidenceHash: `0x${'00'.repeat(32)}` })
      await scenario.expectOffers([])
      await scenario.expectRefusal('alice', 'appeal', { status: 409 })
      await scenario.expectBalanceChanges({ evaluator: tenth - 1_000n, forwarder: 1_000n, market: -tenth })
      await scenario.advanceTo((await scenario.task()).appealDeadline)
      await scenario.perform('requester', 'finalize_verdict')
      // floor(1000001 * 0.075) = 75000; 800002 of 1800003 remain.
      await scenario.expectBalanceChanges({
        alice: 925_001n + tenth,
        feeRecipient: 75_000n,
        requester: 800_002n,
        market: -1_800_003n - tenth,
      })
      const { status, awards, claimedBy } = await scenario.task()
      expect({ status, awards, claimedBy }).toMatchObject({
        status: 'completed',
        claimedBy: scenario.actors.alice.account.address,
        awards: [{ rank: 9, isPrimary: false, grossAmount: '1000001', workerPayment: '925001', platformFee: '75000' }],
      })
      await scenario.expectEmptyEscrow()
    },
  )

  deepTest('given a rejection, then the evaluator is paid, the stake returned and the rest refunded', async () => {
    const scenario = await aDelivery()
    await scenario.perform('evaluator', 'evaluate', { verdict: 'reject', score: 0 })
    await scenario.expectBalanceChanges({ evaluator: tenth - 1_000n, forwarder: 1_000n, market: -tenth })
    await scenario.expectTask({ status: 'appealing', verdictType: 'REJECT', verdictScore: 0 })
    await scenario.advanceTo((await scenario.task()).appealDeadline)
    await scenario.perform('bob', 'finalize_verdict')
    await scenario.expectBalanceChanges({ requester: 1_800_003n, alice: tenth, market: -1_800_003n - tenth })
    await scenario.expectTask({ status: 'cancelled', phase: 'resolved', awards: [], selfAward: null, awardCount: 0 })
    await scenario.expectEmptyEscrow()
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

  deepTest(
    'given an appeal without a resolution, then the verdict can be finalized one day after the appeal, not earlier',
    async () => {
      const scenario = await aDelivery({ appealWindowHours: 1 / 12 })
      await scenario.perform('evaluator', 'evaluate', {
        verdict: 'approve',
        awards: [{ worker: 'alice', amount: '1', rank: 1 }],
      })
      await scenario.expectTask({ appealWindow: 300 })
      await scenario.perform('alice', 'appeal')
      await scenario.expectBalanceChanges({
        evaluator: tenth - 1_000n,
        alice: -1_000n,
        forwarder: 2_000n,
        market: -tenth,
      })
      const appealedAt = await environment.chain.headTime()
      // The appeal was mined at the head or before it.
      await scenario.advanceTo(appealedAt + 86_390n)
      await scenario.expectRefusal('bob', 'finalize_verdict', { status: 409 })
      await scenario.advanceTo(appealedAt + 86_400n)
      await scenario.expectOffers(['finalize_verdict by anyone'])
      const awards = [{ worker: 'alice', amount: '1800003', rank: 1 }]
      await scenario.expectRefusal('resolver', 'resolve_dispute', {
        status: 409,
        fields: { verdict: 'approve', awards },
      })
      await scenario.perform('bob', 'finalize_verdict')
      // The platform's share of one base unit is zero.
      await scenario.expectBalanceChanges({ alice: 1n + tenth, requester: 1_800_002n, market: -1_800_003n - tenth })
      await scenario.expectAwards([{ worker: 'alice', gross: '1', net: '1', fee: '0' }])
    },
  )

  deepTest('given no verdict in time, then the evaluator gets no fee and the requester accepts', async () => {
    const scenario = await aDelivery()
    await scenario.advanceTo((await scenario.task()).evaluatorDeadline)
    await scenario.expectOffers(['evaluator_timeout by requester for 1000'])
    await scenario.expectRefusal('evaluator', 'evaluate', { status: 409, fields: { verdict: 'approve' } })
    await scenario.expectRefusal('alice', 'evaluator_timeout', { status: 403 })
    await scenario.perform('requester', 'evaluator_timeout')
    await scenario.expectTask({
      status: 'pending_approval',
      phase: 'active',
      evaluator: null,
      disputeResolver: null,
      evaluatorFeeBps: null,
      evaluatorDeadline: null,
      evaluationWindow: null,
      appealWindow: null,
      netReward: '1850003',
    })
    await scenario.expectOffers(['accept by requester for 1000'])
    await scenario.perform('requester', 'accept', { worker: 'alice' })
    await scenario.expectBalanceChanges({
      requester: -2_000n,
      forwarder: 2_000n,
      alice: 1_850_003n + tenth,
      feeRecipient: 150_000n,
      market: -2_000_003n - tenth,
    })
    await scenario.expectAwards([{ worker: 'alice', gross: '2000003', net: '1850003', fee: '150000' }])
  })

  deepTest('given no delivery, then it is forfeited and refunded as without an evaluator', async () => {
    const scenario = await startScenario(environment, { actors, task: withEvaluator })
    await scenario.perform('alice', 'claim')
    await scenario.expectRefusal('evaluator', 'evaluate', { status: 409, fields: { verdict: 'reject' } })
    await scenario.advanceTo((await scenario.task()).expiryTime)
    await scenario.expectOffers([
      'refund_expired by anyone for 1000',
      'refund_expired by requester for 1000',
      'forfeit by requester',
    ])
    await scenario.perform('bob', 'refund_expired')
    await scenario.expectBalanceChanges({ bob: -1_000n, forwarder: 1_000n, alice: -tenth, feeRecipient: tenth })
    await scenario.expectTask({ status: 'expired' })
  })
})

describe('A verdict finalized by an anonymous caller', () => {
  test('given no payment, then it is finalized, and its intent belongs to no wallet', async () => {
    const scenario = await aDelivery()
    await scenario.perform('evaluator', 'evaluate', { verdict: 'approve' })
    await scenario.advanceTo((await scenario.task()).appealDeadline)
    const key = randomUUID()
    const path = `/tasks/${scenario.taskId}/finalize-verdict`
    const { status, body } = await environment.post(path, { key })
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    const again = await environment.post(path, { key })
    expect(again).toMatchObject({ status: 409, body: { service: { reason: 'idempotency_key_reused' } } })
    for (const who of [undefined, scenario.actors.alice, scenario.actors.requester]) {
      const intent = await environment.get(`/intents?idempotencyKey=${key}`, who && { as: who })
      expect(intent).toMatchObject({ status: 404, body: { service: { reason: 'intent_not_found' } } })
    }
    await scenario.expectAwards([{ worker: 'alice', gross: '1800003', net: '1665003', fee: '135000' }])
  })
})

describe('An evaluator named later', () => {
  const plain = { ...withEvaluator, evaluator: undefined, evaluatorFeeBps: 0, disputeResolver: undefined }
  const withoutWindows = { ...plain, evaluationWindowHours: undefined, appealWindowHours: undefined }

  test('given a task without evaluator, when one is named, then the flow is the same, and no other can be named', async () => {
    const scenario = await startScenario(environment, { actors, task: withoutWindows })
    const terms = { evaluator: 'evaluator', evaluatorFeeBps: 500, disputeResolver: 'resolver' }
    await scenario.expectRefusal('alice', 'assign_evaluator', { status: 403, fields: terms })
    await scenario.expectRefusal('requester', 'assign_evaluator', { status: 403, fields: { evaluator: 'requester' } })
    await scenario.perform('requester', 'assign_evaluator', terms)
    await scenario.expectBalanceChanges({ requester: -2_001_003n, forwarder: 1_000n, market: 2_000_003n })
    await scenario.expectTask({
      status: 'open',
      evaluator: 'evaluator',
      disputeResolver: 'resolver',
      evaluatorFeeBps: 500,
      evaluationWindow: 86_400,
      appealWindow: 86_400,
      evaluatorDeadline: null,
    })
    await scenario.expectRefusal('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'bob' } })
    for (const role of ['evaluator', 'resolver'] as const) await scenario.expectRefusal(role, 'claim', { status: 403 })
    await scenario.perform('alice', 'claim')
    await scenario.perform('alice', 'submit')
    await scenario.perform('evaluator', 'evaluate', { verdict: 'approve' })
    // floor(2000003 * 0.05) = 100000.
    await scenario.expectBalanceChanges({
      alice: -tenth,
      evaluator: 99_000n,
      forwarder: 1_000n,
      market: tenth - 100_000n,
    })
  })

  deepTest('given a claim, then no evaluator can be named, not even after a forfeit', async () => {
    const scenario = await startScenario(environment, { actors, task: withoutWindows })
    await scenario.perform('alice', 'claim')
    await scenario.expectRefusal('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'evaluator' } })
    await scenario.advanceTo((await scenario.task()).expiryTime)
    await scenario.perform('requester', 'forfeit')
    await scenario.expectTask({ status: 'open' })
    await scenario.expectRefusal('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'evaluator' } })
  })
})
