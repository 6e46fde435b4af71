import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask, aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey } from '../support/paying-client.ts'

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

describe('Create task: passing evaluator fields assigns the evaluator at creation', () => {
  test('with windows of 24 hours by default, in seconds in answers', async () => {
    const { taskId, evaluator, resolver } = await anEvaluatedTask()
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      evaluator: evaluator.account.address,
      disputeResolver: resolver.account.address,
      evaluatorFeeBps: 1000,
      evaluationWindow: 86_400,
      appealWindow: 86_400,
      evaluatorStake: '0',
    })
  })

  test.each<[string, (requester: Actor) => object]>([
    ['evaluator', ({ address }) => ({ evaluator: address })],
    ['disputeResolver', ({ address }) => ({ evaluator: anActor().address, disputeResolver: address })],
  ])('the %s is not the requester: 403, and nothing is charged', async (field, evaluationTerms) => {
    const requester = await environment.aWallet()
    const money = await environment.chain.watch({ requester: requester.address })
    const { issues } = refuses(
      await environment.pay(requester, '/tasks', aTaskBody({ ...evaluationTerms(requester) })),
      403,
    )
    expect(issues).toMatchObject([{ path: field }])
    expect(await money.changes()).toEqual({ requester: 0n })
  })

  test.each<[string, object]>([
    ['disputeResolver', { disputeResolver: `0x${'ab'.repeat(20)}` }],
    ['evaluatorFeeBps', { evaluatorFeeBps: 9251 }],
    ['appealWindowHours', { appealWindowHours: 299 / 3600 }],
    ['evaluationWindowHours', { evaluationWindowHours: 87_600.1 }],
    ['evaluator', { evaluator: `0x${'00'.repeat(20)}` }],
  ])('bad %s is 400 before the 402', async (field, terms) => {
    const body = aTaskBody({ evaluator: `0x${'ab'.repeat(20)}`, ...terms })
    expect(refuses(await environment.post('/tasks', { body }), 400).issues).toMatchObject([{ path: field }])
  })
})

describe('POST /tasks/{taskId}/evaluator', () => {
  test('costs 1000 base units and answers {txHash}; a second one is refused', async () => {
    const requester = await environment.aWallet()
    const taskId = await environment.createTask(requester)
    const money = await environment.chain.watch({ requester: requester.address })
    const path = `/tasks/${taskId}/evaluator`
    const { status, body } = await environment.pay(requester, path, { evaluator: anActor().address })
    expect({ status, body }).toEqual({ status: 200, body: { txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } })
    expect(await money.changes()).toEqual({ requester: -1_000n })
    expect(await environment.chain.marketLogs(body.txHash)).toMatchObject([{ eventName: 'EvaluatorAssigned' }])
    refuses(await environment.post(path, { body: { evaluator: anActor().address } }), 409)
  })

  test('of an unknown task is 404', async () => {
    for (const verb of [
      'evaluator',
      'evaluate',
      'appeal',
      'resolve-dispute',
      'evaluator-timeout',
      'finalize-verdict',
    ]) {
      const awards = [{ worker: anActor().address, amount: '1', rank: 1 }]
      const body = { evaluator: anActor().address, verdict: 'approve', awards }
      refuses(await environment.post(`/tasks/0x${'99'.repeat(32)}/${verb}`, { body }), 404)
    }
  })
})

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

  test('by two simultaneous keys is executed once, and charged once', async () => {
    const { taskId, evaluator } = await aDelivery()
    const money = await environment.chain.watch({ evaluator: evaluator.address })
    const path = `/tasks/${taskId}/evaluate`
    const client = await environment.clientOf(evaluator)
    const calls = [aKey(), aKey()].map((key) => ({ path, body: { verdict: 'approve' }, key }))
    const payments = await Promise.all(calls.map(async (call) => client.sign(await client.challenge(call))))
    const answers = await Promise.all(
      calls.map((call, at) => client.sendPaid(call, payments[at] ?? expect.fail('no payment'))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await money.changes()).toEqual({ evaluator: 199_000n })
    refuses(await environment.post(path, { body: { verdict: 'approve' } }), 409)
  })

  test.each<[string, number, string, (fixture: Fixture) => object]>([
    ['two equal ranks', 400, 'awards.1.rank', ({ alice }) => two(alice.address, anActor().address, 1)],
    ['one worker twice', 400, 'awards.1.worker', ({ alice }) => two(alice.address, alice.address, 2)],
    [
      '51 awards',
      400,
      'awards',
      ({ alice }) => ({ awards: Array.from({ length: 51 }, (_, at) => one(alice, at + 1)) }),
    ],
    ['zero base units', 400, 'awards.0.amount', ({ alice }) => ({ awards: [{ ...one(alice), amount: '0' }] })],
    ['a rank of 0', 400, 'awards.0.rank', ({ alice }) => ({ awards: [one(alice, 0)] })],
    ['a rank of 256', 400, 'awards.0.rank', ({ alice }) => ({ awards: [one(alice, 256)] })],
    ['a wallet without a submission', 409, 'awards.0.worker', () => ({ awards: [one(anActor())] })],
    ['the evaluator', 409, 'awards.0.worker', ({ evaluator }) => ({ awards: [one(evaluator)] })],
    [
      'one base unit more than the reward less the fee',
      400,
      'awards',
      ({ alice }) => ({ awards: [{ ...one(alice), amount: '1800001' }] }),
    ],
    ['no worker on a partial approval', 400, 'awards', () => ({ verdict: 'partial' })],
    ['no worker on an approval', 400, 'awards', () => ({ verdict: 'approve' })],
    ['a worker on a rejection', 400, 'awards', ({ alice }) => ({ verdict: 'reject', awards: [one(alice)] })],
    ['a score of 1001', 400, 'score', () => ({ verdict: 'reject', score: 1001 })],
    ['a confidence of -1', 400, 'confidence', () => ({ verdict: 'reject', confidence: -1 })],
  ])('that awards %s is refused with %i on %s', async (_name, status, field, fields) => {
    const fixture = await aContest()
    const body = { verdict: 'approve', ...fields(fixture) }
    const answer = await environment.post(`/tasks/${fixture.taskId}/evaluate`, { body })
    expect(refuses(answer, status as 400).issues[0]).toMatchObject({ path: field })
  })
})

const one = (worker: Pick<Actor, 'address'>, rank = 1) => ({ worker: worker.address, amount: '1', rank })
const two = (first: string, second: string, rank: number) => ({
  awards: [
    { worker: first, amount: '1', rank: 1 },
    { worker: second, amount: '1', rank },
  ],
})

let contest: Promise<Fixture> | undefined
/** One task for all refused requests: open, with a submission of alice. */
function aContest(): Promise<Fixture> {
  contest ??= anEvaluatedTask().then(async (fixture) => {
    await environment.submit(fixture.alice, fixture.taskId)
    return fixture
  })
  return contest
}

describe('While an evaluator is assigned', () => {
  test('accept, accept-submissions and reject-submission are refused', async () => {
    const { taskId, alice } = await aContest()
    const worker = alice.address
    const bodies = {
      accept: { worker },
      'reject-submission': { worker },
      'accept-submissions': { winners: [{ worker, share: 10_000 }] },
    }
    for (const [verb, body] of Object.entries(bodies)) {
      expect(refuses(await environment.post(`/tasks/${taskId}/${verb}`, { body }), 409).error).toContain('evaluator')
    }
  })

  test('neither evaluator nor resolver can submit', async () => {
    const { taskId, evaluator, resolver } = await aContest()
    for (const wallet of [evaluator, resolver]) {
      await expect(environment.submit(wallet, taskId)).rejects.toThrow('403')
    }
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
