import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/conformance.ts'
import { tellStory } from '../support/scenarios/story.ts'

const world = openWorld()

const benchmark = { mode: 'benchmark', metricDescription: 'Requests a second', metricTarget: '5000' }
const entryOffers = ['submit by any worker', 'submit_proof by any worker for 1000']
const decisions = ['accept', 'accept_submissions', 'reject_submission'].map((act) => `${act} by requester for 1000`)
const update = 'update by requester for 1000'
const cancel = 'cancel by requester for 1000'

describe('A benchmark', () => {
  test('takes proofs and files alike, and the best proof wins and is rated', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob', 'carol'], task: benchmark })
    await story.sees({ ...benchmark, status: 'open', submissionWindowOpen: true, submissionCount: 0 })
    await story.offers([...entryOffers, update, cancel])
    await story.act('alice', 'submit_proof', { proofData: 'run 1', metricValue: '4100' })
    await story.act('alice', 'submit_proof', { proofData: 'run 2', metricValue: '5200', proofType: 'eval' })
    await story.act('bob', 'submit_proof', { proofData: 'run 2', metricValue: '5100' })
    await story.act('carol', 'submit')
    await story.sees({ status: 'open', submissionCount: 4 })
    await story.offers([...entryOffers, update, ...decisions])
    await story.refused('bob', 'submit_proof', { status: 409, fields: { proofData: 'run 2', metricValue: '9999' } })
    await story.refused('carol', 'submit_proof', {
      status: 403,
      reason: 'payment_payer_mismatch',
      fields: { workerAddress: 'bob', proofData: 'mine' },
    })
    await story.money({ requester: -2_000_000n, market: 2_000_000n, alice: -2000n, bob: -1000n, forwarder: 3000n })

    await story.act('requester', 'accept', { worker: 'alice' })
    await story.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n,
      alice: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await story.act('requester', 'rate', { worker: 'alice', rating: 100 })
    await story.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000', rating: 100 }])
    await story.offers([])
    const { body: proofs } = await world.get(`/tasks/${story.taskId}/proofs`)
    expect(proofs).toMatchObject([
      { metricValue: '4100', status: 'rejected' },
      { metricValue: '5200', status: 'verified', proofType: 'eval' },
      { metricValue: '5100', status: 'rejected' },
    ])
  })

  test('is split between a pinned proof and a file, after its expiry', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob', 'carol'], task: benchmark })
    const pinned = await story.act('alice', 'submit_proof', { proofData: 'run 1' })
    await story.act('alice', 'submit_proof', { proofData: 'run 2' })
    await story.act('bob', 'submit')
    await story.act('carol', 'submit_proof')
    await story.act('requester', 'reject_submission', { worker: 'carol' })
    await story.refused('carol', 'submit_proof', { status: 409, fields: { proofData: 'another' } })
    await story.until((await story.task()).expiryTime)
    await story.sees({ status: 'open', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await story.offers([update, ...decisions])
    await story.refused('bob', 'submit_proof', { status: 409 })
    await story.refused('requester', 'cancel', { status: 409 })
    await story.act('requester', 'accept_submissions', {
      winners: [
        { worker: 'alice', share: 7500, submissionId: pinned.submissionId },
        { worker: 'bob', share: 2500 },
      ],
    })
    await story.awards([
      { worker: 'alice', gross: '1500000', net: '1387500', fee: '112500' },
      { worker: 'bob', gross: '500000', net: '462500', fee: '37500' },
    ])
    const { body: proofs } = await world.get(`/tasks/${story.taskId}/proofs`)
    expect(proofs.map(({ status }: { status: string }) => status)).toEqual(['verified', 'rejected', 'rejected'])
    for (const worker of ['alice', 'bob'] as const) await story.act('requester', 'rate', { worker, rating: 80 })
    await story.offers([])
  })

  test('nobody proved anything to is refunded after its expiry', async () => {
    const story = await tellStory(world, { cast: ['alice'], task: benchmark })
    await story.until((await story.task()).expiryTime)
    await story.offers(['refund_expired by anyone for 1000', 'refund_expired by requester for 1000', update, cancel])
    await story.act('requester', 'refund_expired')
    await story.money({ requester: -1000n, forwarder: 1000n })
    await story.sees({ status: 'expired', awards: [] })
    await story.nothingInEscrow()
  })
})
