import { describe, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from './scenario.ts'

const environment = openEnvironment()

const decisions = ['accept', 'accept_submissions', 'reject_submission'].map((act) => `${act} by requester for 1000`)
const update = 'update by requester for 1000'
const cancel = 'cancel by requester for 1000'

describe('A bounty', () => {
  test('given three workers, when one is accepted, then that one is paid and rated', async () => {
    const scenario = await startScenario(environment, {
      actors: ['alice', 'bob', 'carol'],
      task: { reward: '2000003' },
    })
    await scenario.expectTask({
      status: 'open',
      phase: 'active',
      submissionWindowOpen: true,
      requester: 'requester',
      awards: [],
    })
    await scenario.expectOffers(['submit by any worker', update, cancel])
    await scenario.expectBalanceChanges({ requester: -2_000_003n, market: 2_000_003n })

    for (const worker of ['alice', 'bob', 'carol'] as const) await scenario.perform(worker, 'submit')
    await scenario.expectTask({ status: 'open', submissionCount: 3, claimedBy: null, netReward: '1850003' })
    await scenario.expectOffers(['submit by any worker', update, ...decisions])
    await scenario.expectRefusal('requester', 'cancel', { status: 409 })
    await scenario.expectRefusal('alice', 'accept', { status: 403, fields: { worker: 'alice' } })
    await scenario.expectBalanceChanges({})

    await scenario.perform('requester', 'accept', { worker: 'bob' })
    await scenario.expectBalanceChanges({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_003n,
      bob: 1_850_003n,
      feeRecipient: 150_000n,
    })
    await scenario.expectAwards([{ worker: 'bob', gross: '2000003', net: '1850003', fee: '150000' }])
    await scenario.expectTask({ phase: 'resolved', submissionWindowOpen: false, selfAward: false })
    await scenario.expectOffers(['rate bob by requester for 1000'])

    await scenario.perform('requester', 'rate', { worker: 'bob', rating: 88, feedbackText: 'Counted right' })
    await scenario.expectAwards([{ worker: 'bob', gross: '2000003', net: '1850003', fee: '150000', rating: 88 }])
    await scenario.expectTask({ primaryAward: { workerAddress: 'bob', rating: 88 } })
    await scenario.expectOffers([])
  })

  test('given three workers, when two are accepted, then the reward is split and each gets their own rating', async () => {
    const scenario = await startScenario(environment, {
      actors: ['alice', 'bob', 'carol'],
      task: { reward: '1000001' },
    })
    for (const worker of ['alice', 'bob', 'carol'] as const) await scenario.perform(worker, 'submit')
    await scenario.expectBalanceChanges({ requester: -1_000_001n, market: 1_000_001n })
    await scenario.perform('requester', 'accept_submissions', {
      winners: [
        { worker: 'carol', share: 3333 },
        { worker: 'alice', share: 6667 },
      ],
    })
    // floor(1000001 * 0.3333) = 333300, floor(1000001 * 0.6667) = 666700; the remaining base unit goes to rank 1.
    await scenario.expectAwards([
      { worker: 'carol', gross: '333301', net: '308304', fee: '24997' },
      { worker: 'alice', gross: '666700', net: '616698', fee: '50002' },
    ])
    await scenario.expectBalanceChanges({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -1_000_001n,
      carol: 308_304n,
      alice: 616_698n,
      feeRecipient: 74_999n,
    })
    await scenario.expectOffers(['rate alice by requester for 1000', 'rate carol by requester for 1000'])
    await scenario.perform('requester', 'rate', { worker: 'alice', rating: 100 })
    await scenario.expectOffers(['rate carol by requester for 1000'])
    await scenario.perform('requester', 'rate', { worker: 'carol', rating: 0 })
    await scenario.expectRefusal('requester', 'rate', { status: 409, fields: { worker: 'alice', rating: 1 } })
    await scenario.expectOffers([])
  })

  test('given one worker, who is rejected, when it expires, then any wallet can refund the reward', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'] })
    await scenario.perform('alice', 'submit')
    await scenario.perform('requester', 'reject_submission', { worker: 'alice' })
    await scenario.expectOffers(['submit by any worker', update, cancel])
    await scenario.expectRefusal('alice', 'submit', { status: 409 })
    await scenario.expectRefusal('bob', 'refund_expired', { status: 409 })
    await scenario.expectBalanceChanges({ requester: -2_001_000n, forwarder: 1_000n, market: 2_000_000n })

    await scenario.advanceTo((await scenario.task()).expiryTime)
    await scenario.expectTask({ status: 'open', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await scenario.expectOffers([
      'refund_expired by anyone for 1000',
      'refund_expired by requester for 1000',
      update,
      cancel,
    ])
    await scenario.expectRefusal('bob', 'submit', { status: 409 })
    await scenario.perform('bob', 'refund_expired')
    await scenario.expectBalanceChanges({ requester: 2_000_000n, bob: -1_000n, forwarder: 1_000n, market: -2_000_000n })
    await scenario.expectTask({ status: 'expired', phase: 'resolved', awards: [], selfAward: null })
    await scenario.expectOffers([])
  })
})
