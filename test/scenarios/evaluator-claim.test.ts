import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/conformance.ts'
import { tellStory } from '../support/scenarios/story.ts'

/** The evaluator flow of a single worker, to the base unit. Interface, "Evaluator flow". */

const world = openWorld()

const cast = ['alice', 'bob', 'evaluator', 'resolver'] as const
/** A tenth for the evaluator, a tenth of the reward at stake; both windows a day. */
const judged = {
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
/** floor(2000003 / 10): what alice puts in, and what the evaluator is paid. */
const tenth = 200_000n
const day = 86_400_000

/** Alice has claimed and delivered; the money is looked at. */
async function aDelivery(fields: object = {}) {
  const story = await tellStory(world, { cast, task: { ...judged, ...fields } })
  await story.act('alice', 'claim')
  await story.act('alice', 'submit')
  await story.money({ requester: -2_000_003n, alice: -tenth, market: 2_000_003n + tenth })
  return story
}

const timeOf = (iso: string | null) => BigInt(Date.parse(iso ?? '') / 1000)

describe('A claim with an evaluator', () => {
  test('is approved without awards: the worker gets all that the evaluator leaves, and the stake', async () => {
    const story = await aDelivery()
    const { evaluatorDeadline, expiryTime, createdAt } = await story.task()
    await story.sees({
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
    // Delivered a moment after the creation: the window ends after the expiry, which it takes along.
    expect(Date.parse(evaluatorDeadline)).toBeGreaterThan(Date.parse(createdAt) + day - 1000)
    expect(expiryTime).toBe(evaluatorDeadline)
    await story.offers(['evaluate by evaluator for 1000'])
    await story.refused('requester', 'accept', { status: 409, fields: { worker: 'alice' } })
    await story.refused('requester', 'cancel', { status: 409 })
    await story.refused('requester', 'object', { status: 409 })
    await story.refused('requester', 'evaluator_timeout', { status: 409 })
    await story.money({})

    const evidenceHash = `0x${'e7'.repeat(32)}`
    await story.act('evaluator', 'evaluate', { verdict: 'approve', score: 870, confidence: 0, evidenceHash })
    await story.money({ evaluator: tenth - 1_000n, forwarder: 1_000n, market: -tenth })
    await story.sees({
      status: 'appealing',
      phase: 'in_review',
      verdictType: 'APPROVE',
      verdictScore: 870,
      verdictConfidence: 0,
      verdictEvidenceHash: evidenceHash,
      claimedBy: 'alice',
      awards: [],
    })
    const { appealDeadline, expiryTime: raised } = await story.task()
    expect(raised).toBe(appealDeadline)
    await story.offers(['appeal by alice for 1000'])
    await story.refused('bob', 'finalize_verdict', { status: 409 })

    await story.until(timeOf(appealDeadline))
    await story.offers(['finalize_verdict by anyone'])
    await story.refused('alice', 'appeal', { status: 409 })
    await story.refused('bob', 'refund_expired', { status: 409 })
    await story.money({})
    await story.act('bob', 'finalize_verdict')
    await story.money({ alice: 1_665_003n + tenth, feeRecipient: 135_000n, market: -1_800_003n - tenth })
    await story.awards([{ worker: 'alice', gross: '1800003', net: '1665003', fee: '135000' }])
    await story.sees({ status: 'completed', phase: 'resolved', selfAward: false, verdictType: 'APPROVE' })
    await story.offers(['rate alice by requester for 1000'])
    await story.act('requester', 'rate', { worker: 'alice', rating: 70 })
    await story.offers([])
  })

  test('is approved in part: the rest goes back to the requester, nobody can appeal without a resolver', async () => {
    const story = await aDelivery({ disputeResolver: undefined })
    await story.act('evaluator', 'evaluate', {
      verdict: 'partial',
      awards: [{ worker: 'alice', amount: '1000001', rank: 9 }],
    })
    await story.sees({ verdictType: 'PARTIAL', verdictScore: 1000, verdictConfidence: 1000, disputeResolver: null })
    await story.sees({ verdictEvidenceHash: `0x${'00'.repeat(32)}` })
    await story.offers([])
    await story.refused('alice', 'appeal', { status: 409 })
    await story.money({ evaluator: tenth - 1_000n, forwarder: 1_000n, market: -tenth })
    await story.until((await story.task()).appealDeadline)
    await story.act('requester', 'finalize_verdict')
    // floor(1000001 * 0.075) = 75000; of the 1800003 there were, 800002 are left over.
    await story.money({
      alice: 925_001n + tenth,
      feeRecipient: 75_000n,
      requester: 800_002n,
      market: -1_800_003n - tenth,
    })
    const { status, awards, claimedBy } = await story.task()
    expect({ status, awards, claimedBy }).toMatchObject({
      status: 'completed',
      claimedBy: story.cast.alice.account.address,
      awards: [{ rank: 9, isPrimary: false, grossAmount: '1000001', workerPayment: '925001', platformFee: '75000' }],
    })
    await story.nothingInEscrow()
  })

  test('is rejected: the evaluator is paid, the stake comes back, all the rest is the requester’s', async () => {
    const story = await aDelivery()
    await story.act('evaluator', 'evaluate', { verdict: 'reject', score: 0 })
    await story.money({ evaluator: tenth - 1_000n, forwarder: 1_000n, market: -tenth })
    await story.sees({ status: 'appealing', verdictType: 'REJECT', verdictScore: 0 })
    await story.until((await story.task()).appealDeadline)
    await story.act('bob', 'finalize_verdict')
    await story.money({ requester: 1_800_003n, alice: tenth, market: -1_800_003n - tenth })
    await story.sees({ status: 'cancelled', phase: 'resolved', awards: [], selfAward: null, awardCount: 0 })
    await story.nothingInEscrow()
    await story.offers([])
  })

  test('is rejected, appealed, and resolved for the worker', async () => {
    const story = await aDelivery()
    await story.act('evaluator', 'evaluate', { verdict: 'reject' })
    for (const who of ['bob', 'requester', 'evaluator', 'resolver'] as const) {
      await story.refused(who, 'appeal', { status: 403 })
    }
    await story.act('alice', 'appeal')
    await story.sees({ status: 'disputed', phase: 'in_review', verdictType: 'REJECT' })
    await story.money({ evaluator: tenth - 1_000n, alice: -1_000n, forwarder: 2_000n, market: -tenth })
    await story.offers(['resolve_dispute by resolver for 1000'])
    const awards = [{ worker: 'alice', amount: '1800003', rank: 1 }]
    await story.refused('evaluator', 'resolve_dispute', { status: 403, fields: { verdict: 'approve', awards } })
    await story.refused('bob', 'finalize_verdict', { status: 409 })
    const oneTooMany = [{ worker: 'alice', amount: '1800004', rank: 1 }]
    await story.refused('resolver', 'resolve_dispute', {
      status: 400,
      fields: { verdict: 'approve', awards: oneTooMany },
    })
    await story.act('resolver', 'resolve_dispute', { verdict: 'approve', awards })
    await story.money({
      resolver: -1_000n,
      forwarder: 1_000n,
      alice: 1_665_003n + tenth,
      feeRecipient: 135_000n,
      market: -1_800_003n - tenth,
    })
    await story.awards([{ worker: 'alice', gross: '1800003', net: '1665003', fee: '135000' }])
    // The verdict told is the evaluator's.
    const resolution = { verdict: 'APPROVE', resolver: 'resolver', resolvedAt: expect.any(String) }
    await story.sees({ status: 'completed', verdictType: 'REJECT', resolution })
  })

  test('is appealed to a resolver who stays silent: the verdict stands, at a day after the appeal and not before', async () => {
    const story = await aDelivery({ appealWindowHours: 1 / 12 })
    await story.act('evaluator', 'evaluate', {
      verdict: 'approve',
      awards: [{ worker: 'alice', amount: '1', rank: 1 }],
    })
    await story.sees({ appealWindow: 300 })
    await story.act('alice', 'appeal')
    await story.money({ evaluator: tenth - 1_000n, alice: -1_000n, forwarder: 2_000n, market: -tenth })
    const appealedAt = await world.chain.headTime()
    // The appeal was mined at the head or before it.
    await story.until(appealedAt + 86_390n)
    await story.refused('bob', 'finalize_verdict', { status: 409 })
    await story.until(appealedAt + 86_400n)
    await story.offers(['finalize_verdict by anyone'])
    const awards = [{ worker: 'alice', amount: '1800003', rank: 1 }]
    await story.refused('resolver', 'resolve_dispute', { status: 409, fields: { verdict: 'approve', awards } })
    await story.act('bob', 'finalize_verdict')
    // Of one base unit the platform takes nothing.
    await story.money({ alice: 1n + tenth, requester: 1_800_002n, market: -1_800_003n - tenth })
    await story.awards([{ worker: 'alice', gross: '1', net: '1', fee: '0' }])
  })

  test('is taken back from a silent evaluator, who gets nothing; then the requester accepts', async () => {
    const story = await aDelivery()
    await story.until((await story.task()).evaluatorDeadline)
    await story.offers(['evaluator_timeout by requester for 1000'])
    await story.refused('evaluator', 'evaluate', { status: 409, fields: { verdict: 'approve' } })
    await story.refused('alice', 'evaluator_timeout', { status: 403 })
    await story.act('requester', 'evaluator_timeout')
    await story.sees({
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
    await story.offers(['accept by requester for 1000'])
    await story.act('requester', 'accept', { worker: 'alice' })
    await story.money({
      requester: -2_000n,
      forwarder: 2_000n,
      alice: 1_850_003n + tenth,
      feeRecipient: 150_000n,
      market: -2_000_003n - tenth,
    })
    await story.awards([{ worker: 'alice', gross: '2000003', net: '1850003', fee: '150000' }])
  })

  test('that nobody delivers is forfeited and refunded as without one', async () => {
    const story = await tellStory(world, { cast, task: judged })
    await story.act('alice', 'claim')
    await story.refused('evaluator', 'evaluate', { status: 409, fields: { verdict: 'reject' } })
    await story.until((await story.task()).expiryTime)
    await story.offers([
      'refund_expired by anyone for 1000',
      'refund_expired by requester for 1000',
      'forfeit by requester',
    ])
    await story.act('bob', 'refund_expired')
    await story.money({ bob: -1_000n, forwarder: 1_000n, alice: -tenth, feeRecipient: tenth })
    await story.sees({ status: 'expired' })
  })
})

describe('A verdict that somebody finalizes without saying who he is', () => {
  test('takes effect for free, and the intent is nobody’s', async () => {
    const story = await aDelivery()
    await story.act('evaluator', 'evaluate', { verdict: 'approve' })
    await story.until((await story.task()).appealDeadline)
    const key = randomUUID()
    const path = `/tasks/${story.taskId}/finalize-verdict`
    const { status, body } = await world.post(path, { key })
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    const again = await world.post(path, { key })
    expect(again).toMatchObject({ status: 409, body: { service: { reason: 'idempotency_key_reused' } } })
    for (const who of [undefined, story.cast.alice, story.cast.requester]) {
      const intent = await world.get(`/intents?idempotencyKey=${key}`, who && { as: who })
      expect(intent).toMatchObject({ status: 404, body: { service: { reason: 'intent_not_found' } } })
    }
    await story.awards([{ worker: 'alice', gross: '1800003', net: '1665003', fee: '135000' }])
  })
})

describe('An evaluator named later', () => {
  const plain = { ...judged, evaluator: undefined, evaluatorFeeBps: 0, disputeResolver: undefined }
  const withoutWindows = { ...plain, evaluationWindowHours: undefined, appealWindowHours: undefined }

  test('judges like one named at creation, and is named once', async () => {
    const story = await tellStory(world, { cast, task: withoutWindows })
    const terms = { evaluator: 'evaluator', evaluatorFeeBps: 500, disputeResolver: 'resolver' }
    await story.refused('alice', 'assign_evaluator', { status: 403, fields: terms })
    await story.refused('requester', 'assign_evaluator', { status: 403, fields: { evaluator: 'requester' } })
    await story.act('requester', 'assign_evaluator', terms)
    await story.money({ requester: -2_001_003n, forwarder: 1_000n, market: 2_000_003n })
    await story.sees({
      status: 'open',
      evaluator: 'evaluator',
      disputeResolver: 'resolver',
      evaluatorFeeBps: 500,
      evaluationWindow: 86_400,
      appealWindow: 86_400,
      evaluatorDeadline: null,
    })
    await story.refused('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'bob' } })
    for (const judge of ['evaluator', 'resolver'] as const) await story.refused(judge, 'claim', { status: 403 })
    await story.act('alice', 'claim')
    await story.act('alice', 'submit')
    await story.act('evaluator', 'evaluate', { verdict: 'approve' })
    // floor(2000003 * 0.05) = 100000.
    await story.money({ alice: -tenth, evaluator: 99_000n, forwarder: 1_000n, market: tenth - 100_000n })
  })

  test('comes too late after a claim', async () => {
    const story = await tellStory(world, { cast, task: withoutWindows })
    await story.act('alice', 'claim')
    await story.refused('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'evaluator' } })
    await story.until((await story.task()).expiryTime)
    await story.act('requester', 'forfeit')
    await story.sees({ status: 'open' })
    await story.refused('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'evaluator' } })
  })
})
