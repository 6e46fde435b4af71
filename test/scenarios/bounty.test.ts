import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from '../support/scenarios/scenario.ts'

const environment = openEnvironment()

const decisions = ['accept', 'accept_submissions', 'reject_submission'].map((act) => `${act} by requester for 1000`)
const update = 'update by requester for 1000'
const cancel = 'cancel by requester for 1000'

describe('A bounty', () => {
  test('has one winner among three workers, who is rated', async () => {
    const scenario = await startScenario(environment, {
      actors: ['alice', 'bob', 'carol'],
      task: { reward: '2000003' },
    })
    await scenario.sees({
      status: 'open',
      phase: 'active',
      submissionWindowOpen: true,
      requester: 'requester',
      awards: [],
    })
    await scenario.offers(['submit by any worker', update, cancel])
    await scenario.money({ requester: -2_000_003n, market: 2_000_003n })

    for (const worker of ['alice', 'bob', 'carol'] as const) await scenario.act(worker, 'submit')
    await scenario.sees({ status: 'open', submissionCount: 3, claimedBy: null, netReward: '1850003' })
    await scenario.offers(['submit by any worker', update, ...decisions])
    await scenario.refused('requester', 'cancel', { status: 409 })
    await scenario.refused('alice', 'accept', { status: 403, fields: { worker: 'alice' } })
    await scenario.money({})

    await scenario.act('requester', 'accept', { worker: 'bob' })
    await scenario.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_003n,
      bob: 1_850_003n,
      feeRecipient: 150_000n,
    })
    await scenario.awards([{ worker: 'bob', gross: '2000003', net: '1850003', fee: '150000' }])
    await scenario.sees({ phase: 'resolved', submissionWindowOpen: false, selfAward: false })
    await scenario.offers(['rate bob by requester for 1000'])

    await scenario.act('requester', 'rate', { worker: 'bob', rating: 88, feedbackText: 'Counted right' })
    await scenario.awards([{ worker: 'bob', gross: '2000003', net: '1850003', fee: '150000', rating: 88 }])
    await scenario.sees({ primaryAward: { workerAddress: 'bob', rating: 88 } })
    await scenario.offers([])
  })

  test('is split among two of three, each rated on his own', async () => {
    const scenario = await startScenario(environment, {
      actors: ['alice', 'bob', 'carol'],
      task: { reward: '1000001' },
    })
    for (const worker of ['alice', 'bob', 'carol'] as const) await scenario.act(worker, 'submit')
    await scenario.money({ requester: -1_000_001n, market: 1_000_001n })
    await scenario.act('requester', 'accept_submissions', {
      winners: [
        { worker: 'carol', share: 3333 },
        { worker: 'alice', share: 6667 },
      ],
    })
    // floor(1000001 * 0.3333) = 333300, floor(1000001 * 0.6667) = 666700; the one left over goes to rank 1.
    await scenario.awards([
      { worker: 'carol', gross: '333301', net: '308304', fee: '24997' },
      { worker: 'alice', gross: '666700', net: '616698', fee: '50002' },
    ])
    await scenario.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -1_000_001n,
      carol: 308_304n,
      alice: 616_698n,
      feeRecipient: 74_999n,
    })
    await scenario.offers(['rate alice by requester for 1000', 'rate carol by requester for 1000'])
    await scenario.act('requester', 'rate', { worker: 'alice', rating: 100 })
    await scenario.offers(['rate carol by requester for 1000'])
    await scenario.act('requester', 'rate', { worker: 'carol', rating: 0 })
    await scenario.refused('requester', 'rate', { status: 409, fields: { worker: 'alice', rating: 1 } })
    await scenario.offers([])
  })

  test('whose only worker is rejected is refunded after its expiry, by somebody else', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'] })
    await scenario.act('alice', 'submit')
    await scenario.act('requester', 'reject_submission', { worker: 'alice' })
    await scenario.offers(['submit by any worker', update, cancel])
    await scenario.refused('alice', 'submit', { status: 409 })
    await scenario.refused('bob', 'refund_expired', { status: 409 })
    await scenario.money({ requester: -2_001_000n, forwarder: 1_000n, market: 2_000_000n })

    await scenario.until((await scenario.task()).expiryTime)
    await scenario.sees({ status: 'open', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await scenario.offers(['refund_expired by anyone for 1000', 'refund_expired by requester for 1000', update, cancel])
    await scenario.refused('bob', 'submit', { status: 409 })
    await scenario.act('bob', 'refund_expired')
    await scenario.money({ requester: 2_000_000n, bob: -1_000n, forwarder: 1_000n, market: -2_000_000n })
    await scenario.sees({ status: 'expired', phase: 'resolved', awards: [], selfAward: null })
    await scenario.offers([])
  })

  test('that expired with work standing waits for its requester, who accepts late', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'] })
    await scenario.act('alice', 'submit')
    await scenario.act('bob', 'submit')
    await scenario.until((await scenario.task()).expiryTime)
    await scenario.sees({ status: 'open', phase: 'awaiting_settlement' })
    await scenario.offers([update, ...decisions])
    await scenario.refused('alice', 'refund_expired', { status: 409 })
    await scenario.act('requester', 'reject_submission', { worker: 'bob' })
    await scenario.refused('requester', 'accept', { status: 409, fields: { worker: 'bob' } })
    await scenario.act('requester', 'accept', { worker: 'alice' })
    await scenario.money({
      requester: -2_002_000n,
      forwarder: 2_000n,
      alice: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await scenario.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000' }])
  })

  test('that grew while it was open pays what it grew to, and one cancelled early gives all of it back', async () => {
    const scenario = await startScenario(environment, { actors: ['alice'] })
    await scenario.act('requester', 'update', { reward: '3000000' })
    await scenario.money({ requester: -3_001_000n, forwarder: 1_000n, market: 3_000_000n })
    await scenario.act('requester', 'update', { reward: '2500000' })
    await scenario.money({ requester: 499_000n, forwarder: 1_000n, market: -500_000n })
    await scenario.act('requester', 'cancel')
    await scenario.money({ requester: 2_499_000n, forwarder: 1_000n, market: -2_500_000n })
    await scenario.sees({ status: 'cancelled', phase: 'resolved', awardCount: 0 })
    await scenario.refused('alice', 'submit', { status: 409 })
    await scenario.offers([])
  })

  test('whose requester falls silent gives back what nobody was awarded, 90 days after its expiry', async () => {
    const scenario = await startScenario(environment, { actors: ['alice'] })
    await scenario.act('alice', 'submit')
    await scenario.until(BigInt(Date.parse((await scenario.task()).expiryTime) / 1000) + 90n * 86_400n)
    await scenario.act('alice', 'settle_stale')
    await scenario.money({})
    await scenario.sees({ status: 'expired', phase: 'resolved', awards: [] })
    expect((await scenario.task()).pendingActions).toEqual([])
    const { body: stats } = await environment.get(`/requesters/${scenario.actors.requester.address}/stats`)
    expect(stats).toMatchObject({ staleCount: 1, expiredNoActionCount: 0, completedCount: 0 })
  })
})
