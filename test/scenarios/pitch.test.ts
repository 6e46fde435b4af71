import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/conformance.ts'
import { tellStory } from '../support/scenarios/story.ts'

const world = openWorld()

const pitchTask = { mode: 'pitch', pitchDeadline: 3600 }
const openOffers = ['update by requester for 1000', 'cancel by requester for 1000']
const refundOffers = ['refund_expired by anyone for 1000', 'refund_expired by requester for 1000']
const pitchOffer = 'pitch by any worker for 1000'
const selectOffer = 'select_worker by requester for 1000'

describe('A task to pitch for', () => {
  test('has three pitches of two workers, one of whom is selected, delivers, is paid and rated', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob', 'carol'], task: pitchTask })
    await story.sees({ status: 'open', phase: 'active', submissionWindowOpen: false, pitchCount: 0 })
    await story.offers([pitchOffer, ...openOffers])
    await story.refused('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: `0x${'12'.repeat(32)}`, workerAddress: 'alice' },
    })
    const first = await story.act('alice', 'pitch', { pitchText: 'I am quick', estimatedDuration: 2 })
    const second = await story.act('bob', 'pitch', { pitchText: 'I am thorough' })
    await story.act('bob', 'pitch', { pitchText: 'And I am cheap' })
    await story.sees({ status: 'open', pitchCount: 3, submissionCount: 0, claimedBy: null })
    await story.offers([pitchOffer, selectOffer, ...openOffers])
    await story.money({ requester: -2_000_000n, market: 2_000_000n, alice: -1000n, bob: -2000n, forwarder: 3000n })

    const ofBob = { pitchId: second.pitchId, workerAddress: 'bob' }
    await story.refused('alice', 'submit', { status: 409 })
    await story.refused('alice', 'pitch', {
      status: 403,
      reason: 'payment_payer_mismatch',
      fields: { workerAddress: 'carol' },
    })
    await story.refused('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: first.pitchId, workerAddress: 'bob' },
    })
    await story.refused('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: first.pitchId, workerAddress: 'carol' },
    })

    // A worker may be selected before and after the pitch deadline, when nobody pitches any more.
    await story.until((await story.task()).pitchDeadline)
    await story.refused('carol', 'pitch', { status: 409 })
    await story.offers([selectOffer, ...openOffers])
    await story.act('requester', 'select_worker', ofBob)
    await story.sees({ status: 'worker_selected', phase: 'active', submissionWindowOpen: true, claimedBy: 'bob' })
    await story.offers(['submit by bob'])
    await story.refused('requester', 'select_worker', { status: 409, fields: ofBob })
    await story.refused('requester', 'cancel', { status: 409 })
    await story.refused('alice', 'submit', { status: 403 })

    await story.act('bob', 'submit')
    await story.sees({ status: 'pending_approval', submissionWindowOpen: false, submissionCount: 1 })
    await story.offers(['accept by requester for 1000'])
    await story.money({ requester: -1000n, forwarder: 1000n })
    await story.act('requester', 'accept', { worker: 'bob' })
    await story.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n,
      bob: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await story.act('requester', 'rate', { worker: 'bob', rating: 93, feedbackText: 'As promised' })
    await story.awards([{ worker: 'bob', gross: '2000000', net: '1850000', fee: '150000', rating: 93 }])
    await story.offers([])
    const { body: pitches } = await world.get(`/tasks/${story.taskId}/pitches`)
    expect(pitches.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'selected', 'selected'])
    expect(pitches[1].workerStats).toEqual({ completedTasks: 1, averageRating: 93 })
  })

  test('nobody pitched for is refunded after its expiry; one with pitches can be cancelled', async () => {
    const story = await tellStory(world, { cast: ['alice'], task: pitchTask })
    await story.until((await story.task()).expiryTime)
    await story.sees({ status: 'open', phase: 'awaiting_settlement' })
    await story.offers([...openOffers, ...refundOffers])
    await story.refused('alice', 'pitch', { status: 409 })
    await story.act('alice', 'refund_expired')
    await story.money({ alice: -1000n, forwarder: 1000n })
    await story.sees({ status: 'expired', awards: [] })
    await story.offers([])

    const other = await tellStory(world, { cast: ['bob'], task: pitchTask })
    await other.act('bob', 'pitch')
    await other.act('requester', 'cancel')
    await other.money({ bob: -1000n, requester: -1000n, forwarder: 2000n })
    const { body: pitches } = await world.get(`/tasks/${other.taskId}/pitches`)
    expect(pitches).toMatchObject([{ status: 'rejected' }])
    await other.nothingInEscrow()
  })

  test('whose worker lets it expire gives its reward back', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: pitchTask })
    const { pitchId } = await story.act('alice', 'pitch')
    await story.act('requester', 'select_worker', { pitchId, workerAddress: 'alice' })
    await story.until((await story.task()).expiryTime)
    await story.sees({ status: 'worker_selected', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await story.offers(refundOffers)
    await story.refused('alice', 'submit', { status: 409 })
    await story.act('bob', 'refund_expired')
    await story.money({ requester: -1000n, alice: -1000n, bob: -1000n, forwarder: 3000n })
    await story.sees({ status: 'expired', phase: 'resolved' })
    await story.nothingInEscrow()
  })
})
