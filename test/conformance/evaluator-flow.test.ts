import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

/**
 * Spec, "Create task" and "Lifecycle writes" (evaluator); Interface, "Evaluator flow". Flows that wait for
 * a deadline are in test/scenarios, where time can be moved.
 */

const environment = openEnvironment()

interface Fixture {
  taskId: Hex
  requester: Actor
  alice: Actor
  evaluator: Actor
  resolver: Actor
}

/** The evaluator's fee is a tenth. */
async function anEvaluatedTask(fields: Record<string, unknown> = {}): Promise<Fixture> {
  const [requester, alice, evaluator, resolver] = [
    await environment.aWallet(),
    await environment.aWallet(),
    await environment.aWallet(),
    await environment.aWallet(),
  ] as [Actor, Actor, Actor, Actor]
  const evaluationTerms = { evaluator: evaluator.address, evaluatorFeeBps: 1000, disputeResolver: resolver.address }
  const taskId = await environment.createTask(requester, { ...evaluationTerms, ...fields })
  return { taskId, requester, alice, evaluator, resolver }
}

/** A task in review. */
async function aDelivery(): Promise<Fixture> {
  const fixture = await anEvaluatedTask(aClaimTask())
  await environment.claim(fixture.alice, fixture.taskId)
  await environment.submit(fixture.alice, fixture.taskId)
  return fixture
}

const refuses = (answer: Parameters<typeof expectRefusal>[0], status: 400 | 403 | 404 | 409) =>
  expectRefusal(answer, status, 'payment_preflight_rejected')

describe('POST /tasks/{taskId}/evaluate', () => {
  test('answers {txHash}, stores the verdict, and pays the fee for any verdict', async () => {
    const { taskId, evaluator } = await aDelivery()
    const money = await environment.chain.watch({ evaluator: evaluator.address })
    const { status, body } = await environment.pay(evaluator, `/tasks/${taskId}/evaluate`, {
      taskId,
      verdict: 'reject',
    })
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    // A tenth of 2 USDC, less the 0.001 of the write.
    expect(await money.changes()).toEqual({ evaluator: 199_000n })
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'appealing',
      phase: 'in_review',
      verdictType: 'REJECT',
      verdictScore: 1000,
      verdictConfidence: 1000,
      verdictEvidenceHash: `0x${'00'.repeat(32)}`,
    })
  })
})

describe('POST /tasks/{taskId}/appeal and /resolve-dispute', () => {
  test('the worker appeals, the resolver awards, and the task is completed; each answers {txHash}', async () => {
    const { taskId, alice, evaluator, resolver } = await aDelivery()
    await environment.pay(evaluator, `/tasks/${taskId}/evaluate`, { verdict: 'reject' })
    const stranger = await environment.aWallet()
    const money = await environment.chain.watch({ alice: alice.address, stranger: stranger.address })
    refuses(await environment.pay(stranger, `/tasks/${taskId}/appeal`), 403)
    const appeal = await environment.pay(alice, `/tasks/${taskId}/appeal`, { taskId })
    expect(appeal).toMatchObject({ status: 200, body: { txHash: expect.stringMatching(/^0x/) } })
    const [log] = await environment.chain.marketLogs(appeal.body.txHash)
    expect(log).toMatchObject({ eventName: 'VerdictAppealed' })
    expect((await environment.get(`/tasks/${taskId}`)).body.status).toBe('disputed')
    const path = `/tasks/${taskId}/resolve-dispute`
    const awards = [{ worker: alice.address, amount: '1800000', rank: 1 }]
    for (const verdict of ['reject', undefined]) {
      refuses(await environment.post(path, { body: { verdict, awards } }), 400)
    }
    refuses(await environment.post(path, { body: { verdict: 'approve', awards: [] } }), 400)
    refuses(await environment.pay(evaluator, path, { verdict: 'approve', awards }), 403)
    expect((await environment.pay(resolver, path, { verdict: 'approve', awards })).status).toBe(200)
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      status: 'completed',
      awards: [{ grossAmount: '1800000', workerPayment: '1665000' }],
    })
    expect(await money.changes()).toEqual({ alice: 1_665_000n - 1_000n, stranger: 0n })
  })
})

describe('POST /tasks/{taskId}/finalize-verdict and /evaluator-timeout', () => {
  test('before their deadlines are refused: finalizing requires no payment of any caller', async () => {
    const { taskId, requester, evaluator } = await aDelivery()
    refuses(await environment.post(`/tasks/${taskId}/evaluator-timeout`), 409)
    refuses(await environment.post(`/tasks/${taskId}/finalize-verdict`), 409)
    await environment.pay(evaluator, `/tasks/${taskId}/evaluate`, { verdict: 'approve' })
    const early = refuses(await environment.post(`/tasks/${taskId}/finalize-verdict`, { as: requester }), 409)
    expect(early.error).toMatch(/This is possible from \d+/)
  })
})
