import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from './scenario.ts'

const environment = openEnvironment()

const benchmark = { mode: 'benchmark', metricDescription: 'Requests a second', metricTarget: '5000' }
const entryOffers = ['submit by any worker', 'submit_proof by any worker for 1000']
const decisions = ['accept', 'accept_submissions', 'reject_submission'].map((act) => `${act} by requester for 1000`)
const update = 'update by requester for 1000'
const cancel = 'cancel by requester for 1000'

describe('A benchmark', () => {
  test('given proofs and files, when a proof is accepted, then its worker is paid and rated', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob', 'carol'], task: benchmark })
    await scenario.expectTask({ ...benchmark, status: 'open', submissionWindowOpen: true, submissionCount: 0 })
    await scenario.expectOffers([...entryOffers, update, cancel])
    await scenario.perform('alice', 'submit_proof', { proofData: 'run 1', metricValue: '4100' })
    await scenario.perform('alice', 'submit_proof', { proofData: 'run 2', metricValue: '5200', proofType: 'eval' })
    await scenario.perform('bob', 'submit_proof', { proofData: 'run 2', metricValue: '5100' })
    await scenario.perform('carol', 'submit')
    await scenario.expectTask({ status: 'open', submissionCount: 4 })
    await scenario.expectOffers([...entryOffers, update, ...decisions])
    await scenario.expectRefusal('bob', 'submit_proof', {
      status: 409,
      fields: { proofData: 'run 2', metricValue: '9999' },
    })
    await scenario.expectRefusal('carol', 'submit_proof', {
      status: 403,
      reason: 'payment_payer_mismatch',
      fields: { workerAddress: 'bob', proofData: 'mine' },
    })
    await scenario.expectBalanceChanges({
      requester: -2_000_000n,
      market: 2_000_000n,
      alice: -2000n,
      bob: -1000n,
      forwarder: 3000n,
    })

    await scenario.perform('requester', 'accept', { worker: 'alice' })
    await scenario.expectBalanceChanges({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n,
      alice: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await scenario.perform('requester', 'rate', { worker: 'alice', rating: 100 })
    await scenario.expectAwards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000', rating: 100 }])
    await scenario.expectOffers([])
    const { body: proofs } = await environment.get(`/tasks/${scenario.taskId}/proofs`)
    expect(proofs).toMatchObject([
      { metricValue: '4100', status: 'rejected' },
      { metricValue: '5200', status: 'verified', proofType: 'eval' },
      { metricValue: '5100', status: 'rejected' },
    ])
  })

  test('given a pinned proof and a file, when both are accepted after the expiry, then the reward is split', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob', 'carol'], task: benchmark })
    const pinned = await scenario.perform('alice', 'submit_proof', { proofData: 'run 1' })
    await scenario.perform('alice', 'submit_proof', { proofData: 'run 2' })
    await scenario.perform('bob', 'submit')
    await scenario.perform('carol', 'submit_proof')
    await scenario.perform('requester', 'reject_submission', { worker: 'carol' })
    await scenario.expectRefusal('carol', 'submit_proof', { status: 409, fields: { proofData: 'another' } })
    await scenario.advanceTo((await scenario.task()).expiryTime)
    await scenario.expectTask({ status: 'open', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await scenario.expectOffers([update, ...decisions])
    await scenario.expectRefusal('bob', 'submit_proof', { status: 409 })
    await scenario.expectRefusal('requester', 'cancel', { status: 409 })
    await scenario.perform('requester', 'accept_submissions', {
      winners: [
        { worker: 'alice', share: 7500, submissionId: pinned.submissionId },
        { worker: 'bob', share: 2500 },
      ],
    })
    await scenario.expectAwards([
      { worker: 'alice', gross: '1500000', net: '1387500', fee: '112500' },
      { worker: 'bob', gross: '500000', net: '462500', fee: '37500' },
    ])
    const { body: proofs } = await environment.get(`/tasks/${scenario.taskId}/proofs`)
    expect(proofs.map(({ status }: { status: string }) => status)).toEqual(['verified', 'rejected', 'rejected'])
    for (const worker of ['alice', 'bob'] as const) await scenario.perform('requester', 'rate', { worker, rating: 80 })
    await scenario.expectOffers([])
  })
})
