import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { startScenario } from './scenario.ts'

const environment = openEnvironment()

const benchmark = { mode: 'benchmark', metricDescription: 'Requests a second', metricTarget: '5000' }
const decisions = ['accept', 'accept_submissions', 'reject_submission'].map((act) => `${act} by requester for 1000`)
const update = 'update by requester for 1000'

describe('A benchmark', () => {
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
