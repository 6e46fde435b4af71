import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from './scenario.ts'

const environment = openEnvironment()

const pitchTask = { mode: 'pitch', pitchDeadline: 3600 }
const openOffers = ['update by requester for 1000', 'cancel by requester for 1000']
const pitchOffer = 'pitch by any worker for 1000'
const selectOffer = 'select_worker by requester for 1000'

describe('A task to pitch for', () => {
  test('given three pitches of two workers, when one is selected and delivers, then that worker is paid and rated', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob', 'carol'], task: pitchTask })
    await scenario.expectTask({ status: 'open', phase: 'active', submissionWindowOpen: false, pitchCount: 0 })
    await scenario.expectOffers([pitchOffer, ...openOffers])
    await scenario.expectRefusal('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: `0x${'12'.repeat(32)}`, workerAddress: 'alice' },
    })
    const first = await scenario.perform('alice', 'pitch', { pitchText: 'I am quick', estimatedDuration: 2 })
    const second = await scenario.perform('bob', 'pitch', { pitchText: 'I am thorough' })
    await scenario.perform('bob', 'pitch', { pitchText: 'And I am cheap' })
    await scenario.expectTask({ status: 'open', pitchCount: 3, submissionCount: 0, claimedBy: null })
    await scenario.expectOffers([pitchOffer, selectOffer, ...openOffers])
    await scenario.expectBalanceChanges({
      requester: -2_000_000n,
      market: 2_000_000n,
      alice: -1000n,
      bob: -2000n,
      forwarder: 3000n,
    })

    const ofBob = { pitchId: second.pitchId, workerAddress: 'bob' }
    await scenario.expectRefusal('alice', 'submit', { status: 409 })
    await scenario.expectRefusal('alice', 'pitch', {
      status: 403,
      reason: 'payment_payer_mismatch',
      fields: { workerAddress: 'carol' },
    })
    await scenario.expectRefusal('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: first.pitchId, workerAddress: 'bob' },
    })
    await scenario.expectRefusal('requester', 'select_worker', {
      status: 409,
      fields: { pitchId: first.pitchId, workerAddress: 'carol' },
    })

    // A worker may be selected before and after the pitch deadline, after which no pitch is accepted.
    await scenario.advanceTo((await scenario.task()).pitchDeadline)
    await scenario.expectRefusal('carol', 'pitch', { status: 409 })
    await scenario.expectOffers([selectOffer, ...openOffers])
    await scenario.perform('requester', 'select_worker', ofBob)
    await scenario.expectTask({
      status: 'worker_selected',
      phase: 'active',
      submissionWindowOpen: true,
      claimedBy: 'bob',
    })
    await scenario.expectOffers(['submit by bob'])
    await scenario.expectRefusal('requester', 'select_worker', { status: 409, fields: ofBob })
    await scenario.expectRefusal('requester', 'cancel', { status: 409 })
    await scenario.expectRefusal('alice', 'submit', { status: 403 })

    await scenario.perform('bob', 'submit')
    await scenario.expectTask({ status: 'pending_approval', submissionWindowOpen: false, submissionCount: 1 })
    await scenario.expectOffers(['accept by requester for 1000'])
    await scenario.expectBalanceChanges({ requester: -1000n, forwarder: 1000n })
    await scenario.perform('requester', 'accept', { worker: 'bob' })
    await scenario.expectBalanceChanges({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n,
      bob: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await scenario.perform('requester', 'rate', { worker: 'bob', rating: 93, feedbackText: 'As promised' })
    await scenario.expectAwards([{ worker: 'bob', gross: '2000000', net: '1850000', fee: '150000', rating: 93 }])
    await scenario.expectOffers([])
    const { body: pitches } = await environment.get(`/tasks/${scenario.taskId}/pitches`)
    expect(pitches.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'selected', 'selected'])
    expect(pitches[1].workerStats).toEqual({ completedTasks: 1, averageRating: 93 })
  })
})
