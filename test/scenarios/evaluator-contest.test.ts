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

const update = 'update by requester for 1000'

describe('A bounty with an evaluator', () => {
  test('given awards to two of three before the expiry, then any worker who was not rejected may appeal', async () => {
    const scenario = await startScenario(environment, { actors, task: withEvaluator })
    for (const worker of ['alice', 'bob', 'carol'] as const) await scenario.perform(worker, 'submit')
    await scenario.expectBalanceChanges({ requester: -2_000_003n, market: 2_000_003n })
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
    await scenario.expectBalanceChanges({ evaluator: fee - 1_000n, forwarder: 1_000n, market: -fee })
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
})
