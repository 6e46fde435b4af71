import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from '../support/scenarios/scenario.ts'

const environment = openEnvironment()

const pitchTask = { mode: 'pitch', pitchDeadline: 3600 }
const openOffers = ['update by requester for 1000', 'cancel by requester for 1000']
const refundOffers = ['refund_expired by anyone for 1000', 'refund_expired by requester for 1000']
const pitchOffer = 'pitch by any worker for 1000'
const selectOffer = 'select_worker by requester for 1000'

describe('A task to pitch for', () => {
  test('has three pitches of two workers, one of whom is selected, delivers, is paid and rated', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob', 'carol'], task: pitchTask })
    await scenario.sees({ status: 'open', phase: 'active', submissionWindowOpen: false, pitchCount: 0 })
    await scenario.offers([pitchOffer, ...openOffers])
    await scenario.refused('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: `0x${'12'.repeat(32)}`, workerAddress: 'alice' },
    })
    const first = await scenario.act('alice', 'pitch', { pitchText: 'I am quick', estimatedDuration: 2 })
    const second = await scenario.act('bob', 'pitch', { pitchText: 'I am thorough' })
    await scenario.act('bob', 'pitch', { pitchText: 'And I am cheap' })
    await scenario.sees({ status: 'open', pitchCount: 3, submissionCount: 0, claimedBy: null })
    await scenario.offers([pitchOffer, selectOffer, ...openOffers])
    await scenario.money({ requester: -2_000_000n, market: 2_000_000n, alice: -1000n, bob: -2000n, forwarder: 3000n })

    const ofBob = { pitchId: second.pitchId, workerAddress: 'bob' }
    await scenario.refused('alice', 'submit', { status: 409 })
    await scenario.refused('alice', 'pitch', {
      status: 403,
      reason: 'payment_payer_mismatch',
      fields: { workerAddress: 'carol' },
    })
    await scenario.refused('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: first.pitchId, workerAddress: 'bob' },
    })
    await scenario.refused('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: first.pitchId, workerAddress: 'carol' },
    })

    // A worker may be selected before and after the pitch deadline, when nobody pitches any more.
    await scenario.until((await scenario.task()).pitchDeadline)
    await scenario.refused('carol', 'pitch', { status: 409 })
    await scenario.offers([selectOffer, ...openOffers])
    await scenario.act('requester', 'select_worker', ofBob)
    await scenario.sees({ status: 'worker_selected', phase: 'active', submissionWindowOpen: true, claimedBy: 'bob' })
    await scenario.offers(['submit by bob'])
    await scenario.refused('requester', 'select_worker', { status: 409, fields: ofBob })
    await scenario.refused('requester', 'cancel', { status: 409 })
    await scenario.refused('alice', 'submit', { status: 403 })

    await scenario.act('bob', 'submit')
    await scenario.sees({ status: 'pending_approval', submissionWindowOpen: false, submissionCount: 1 })
    await scenario.offers(['accept by requester for 1000'])
    await scenario.money({ requester: -1000n, forwarder: 1000n })
    await scenario.act('requester', 'accept', { worker: 'bob' })
    await scenario.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n,
      bob: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await scenario.act('requester', 'rate', { worker: 'bob', rating: 93, feedbackText: 'As promised' })
    await scenario.awards([{ worker: 'bob', gross: '2000000', net: '1850000', fee: '150000', rating: 93 }])
    await scenario.offers([])
    const { body: pitches } = await environment.get(`/tasks/${scenario.taskId}/pitches`)
    expect(pitches.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'selected', 'selected'])
    expect(pitches[1].workerStats).toEqual({ completedTasks: 1, averageRating: 93 })
  })

  test('nobody pitched for is refunded after its expiry; one with pitches can be cancelled', async () => {
    const scenario = await startScenario(environment, { actors: ['alice'], task: pitchTask })
    await scenario.until((await scenario.task()).expiryTime)
    await scenario.sees({ status: 'open', phase: 'awaiting_settlement' })
    await scenario.offers([...openOffers, ...refundOffers])
    await scenario.refused('alice', 'pitch', { status: 409 })
    await scenario.act('alice', 'refund_expired')
    await scenario.money({ alice: -1000n, forwarder: 1000n })
    await scenario.sees({ status: 'expired', awards: [] })
    await scenario.offers([])

    const other = await startScenario(environment, { actors: ['bob'], task: pitchTask })
    await other.act('bob', 'pitch')
    await other.act('requester', 'cancel')
    await other.money({ bob: -1000n, requester: -1000n, forwarder: 2000n })
    const { body: pitches } = await environment.get(`/tasks/${other.taskId}/pitches`)
    expect(pitches).toMatchObject([{ status: 'rejected' }])
    await other.nothingInEscrow()
  })

  test('whose worker lets it expire gives its reward back', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: pitchTask })
    const { pitchId } = await scenario.act('alice', 'pitch')
    await scenario.act('requester', 'select_worker', { pitchId, workerAddress: 'alice' })
    await scenario.until((await scenario.task()).expiryTime)
    await scenario.sees({ status: 'worker_selected', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await scenario.offers(refundOffers)
    await scenario.refused('alice', 'submit', { status: 409 })
    await scenario.act('bob', 'refund_expired')
    await scenario.money({ requester: -1000n, alice: -1000n, bob: -1000n, forwarder: 3000n })
    await scenario.sees({ status: 'expired', phase: 'resolved' })
    await scenario.nothingInEscrow()
  })
})
