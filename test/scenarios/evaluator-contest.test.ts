import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from './scenario.ts'

/** The evaluator flow among many workers, to the base unit. Interface, "Evaluator flow". */

const environment = openEnvironment()

const actors = ['alice', 'bob', 'carol', 'evaluator', 'resolver'] as const
const withEvaluator = {
  reward: '2000003',
  evaluator: 'evaluator',
  evaluatorFeeBps: 333,
  disputeResolver: 'resolver',
  evaluationWindowHours: 2,
  appealWindowHours: 48,
}
/** floor(2000003 * 0.0333). */
const fee = 66_600n
const left = 2_000_003n - fee
const verdictChanges = { evaluator: fee - 1_000n, forwarder: 1_000n, market: -fee }

/** These have submitted to a bounty; the balances are recorded. */
async function aContest(workers: readonly ('alice' | 'bob' | 'carol')[], fields: object = {}) {
  const scenario = await startScenario(environment, { actors, task: { ...withEvaluator, ...fields } })
  for (const worker of workers) await scenario.perform(worker, 'submit')
  await scenario.expectBalanceChanges({ requester: -2_000_003n, market: 2_000_003n })
  return scenario
}

const update = 'update by requester for 1000'

describe('A bounty with an evaluator', () => {
  test('given awards to two of three before the expiry, then any worker who was not rejected may appeal', async () => {
    const scenario = await aContest(['alice', 'bob', 'carol'])
    const { expiryTime, evaluatorDeadline } = await scenario.task()
    expect(Date.parse(evaluatorDeadline)).toBe(Date.parse(expiryTime) + 7_200_000)
    await scenario.expectOffers(['submit by any worker', 'evaluate by evaluator for 1000', update])
    for (const role of ['evaluator', 'resolver'] as const) await scenario.expectRefusal(role, 'submit', { status: 403 })
    const worker = 'alice'
    await scenario.expectRefusal('requester', 'accept', { status: 409, fields: { worker } })
    await scenario.expectRefusal('requester', 'reject_submission', { status: 409, fields: { worker } })
    await scenario.expectRefusal('requester', 'accept_submissions', {
      status: 409,
      fields: { winners: [{ worker, share: 10_000 }] },
    })
    await scenario.expectRefusal('evaluator', 'evaluate', { status: 400, fields: { verdict: 'approve' } })
    // The contest still takes entries: no refund and no fraction of the reward ends it.
    await scenario.expectRefusal('evaluator', 'evaluate', { status: 409, fields: { verdict: 'reject' } })
    const junk = [{ worker, amount: '1', rank: 1 }]
    await scenario.expectRefusal('evaluator', 'evaluate', { status: 409, fields: { verdict: 'approve', awards: junk } })
    await scenario.expectRefusal('evaluator', 'evaluate', { status: 409, fields: { verdict: 'partial', awards: junk } })

    const awards = [
      { worker: 'bob', amount: '1000001', rank: 2 },
      { worker: 'carol', amount: String(left - 1_000_001n), rank: 1 },
    ]
    await scenario.perform('evaluator', 'evaluate', { verdict: 'approve', awards })
    await scenario.expectBalanceChanges(verdictChanges)
    await scenario.expectTask({
      status: 'appealing',
      claimedBy: 'carol',
      evaluatorDeadline: null,
      submissionWindowOpen: false,
    })
    await scenario.expectOffers(['appeal by any worker for 1000'])
    await scenario.expectRefusal('evaluator', 'appeal', { status: 403 })
    await scenario.expectRefusal('alice', 'submit', { status: 409, fields: { text: 'late' } })

    await scenario.advanceTo((await scenario.task()).appealDeadline)
    await scenario.perform('alice', 'finalize_verdict')
    // 933402 and 1000001 gross: floor(933402 * 0.075) = 70005, floor(1000001 * 0.075) = 75000.
    await scenario.expectBalanceChanges({ carol: 863_397n, bob: 925_001n, feeRecipient: 145_005n, market: -left })
    await scenario.expectAwards([
      { worker: 'carol', gross: '933402', net: '863397', fee: '70005' },
      { worker: 'bob', gross: '1000001', net: '925001', fee: '75000' },
    ])
    await scenario.expectOffers(['rate bob by requester for 1000', 'rate carol by requester for 1000'])
    await scenario.expectTask({ primaryAward: { workerAddress: 'carol', rating: null }, claimedBy: 'carol' })
  })

  test('given a rejection, then any submitter may appeal, and the resolver may award any of them', async () => {
    const scenario = await aContest(['alice', 'bob'])
    await scenario.advanceTo((await scenario.task()).expiryTime)
    await scenario.perform('evaluator', 'evaluate', { verdict: 'reject' })
    await scenario.expectTask({ status: 'appealing', claimedBy: null, claimedAt: null, verdictType: 'REJECT' })
    await scenario.expectOffers(['appeal by any worker for 1000'])
    for (const who of ['carol', 'requester', 'evaluator', 'resolver'] as const) {
      await scenario.expectRefusal(who, 'appeal', { status: 403 })
    }
    await scenario.perform('bob', 'appeal')
    await scenario.expectRefusal('alice', 'appeal', { status: 409 })
    await scenario.expectBalanceChanges({ ...verdictChanges, bob: -1_000n, forwarder: 2_000n })
    const stranger = [{ worker: 'carol', amount: '1', rank: 1 }]
    await scenario.expectRefusal('resolver', 'resolve_dispute', {
      status: 409,
      fields: { verdict: 'partial', awards: stranger },
    })
    const awards = [{ worker: 'alice', amount: '700', rank: 1 }]
    await scenario.perform('resolver', 'resolve_dispute', { verdict: 'partial', awards })
    // floor(700 * 0.075) = 52.
    await scenario.expectBalanceChanges({
      resolver: -1_000n,
      forwarder: 1_000n,
      alice: 648n,
      feeRecipient: 52n,
      requester: left - 700n,
      market: -left,
    })
    await scenario.expectAwards([{ worker: 'alice', gross: '700', net: '648', fee: '52' }])
    await scenario.expectTask({ claimedBy: 'alice' })
  })
})
