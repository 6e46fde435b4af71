import { randomUUID } from 'node:crypto'
import { decodeFunctionData, getAddress, type Hex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { appealVerdict } from '../../../api/features/evaluation/appeal-verdict.ts'
import { assignEvaluator } from '../../../api/features/evaluation/assign-evaluator.ts'
import { evaluateTask } from '../../../api/features/evaluation/evaluate-task.ts'
import { finalizeVerdict } from '../../../api/features/evaluation/finalize-verdict.ts'
import { resolveDispute } from '../../../api/features/evaluation/resolve-dispute.ts'
import { timeOutEvaluator } from '../../../api/features/evaluation/time-out-evaluator.ts'
import type { AnyWrite } from '../../../api/writes/relayed-write.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { parsedRequest } from '../../support/parsed-request.ts'
import { START } from '../../support/rows/insert-row.ts'

/** The evaluator flow on rows: what each write asks for, refuses, and calls. */

const [requester, alice, bob, carol, dave] = [anActor(), anActor(), anActor(), anActor(), anActor()].map(
  ({ address }) => address,
) as [Hex, Hex, Hex, Hex, Hex]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

/** Carol judges for a tenth, dave resolves; alice and bob have submitted. */
async function aContest(columns: object = {}, verdict: object = {}) {
  const task = await api.seed.task({ requester, disputeResolver: dave, ...columns })
  await api.seed.submission(task.id, alice)
  await api.seed.submission(task.id, bob)
  await api.seed.evaluation(task.id, carol, { disputeResolver: dave, ...verdict })
  return task.id
}

/** Carol judges, dave resolves; alice was assigned and has delivered. */
async function aDelivery(status: string, columns: object = {}, verdict: object = {}) {
  const task = await api.seed.task({
    requester,
    mode: 'claim',
    worker: alice,
    disputeResolver: dave,
    status,
    ...columns,
  })
  await api.seed.submission(task.id, alice)
  await api.seed.evaluation(task.id, carol, { disputeResolver: dave, ...verdict })
  return task.id
}

const evaluated = {
  verdict: 'reject',
  score: 1000,
  confidence: 1000,
  evidenceHash: zeroHash,
  fee: 500_000n,
  verdictAt: START,
}

async function post(taskId: Hex, verb: string, body: object = {}) {
  const { status, body: answer } = await api.post(`/api/tasks/${taskId}/${verb}`, body, {
    'X-Service-Idempotency-Key': randomUUID(),
  })
  return { status, amount: answer.accepts?.[0]?.amount, path: answer.issues?.[0]?.path, error: answer.error }
}

const price = { status: 402, amount: '1000' }

describe('before a payment', () => {
  test('naming an evaluator costs the fee while no worker entered; later, or twice, it is refused', async () => {
    const { id } = await api.seed.task({ requester })
    expect(await post(id, 'evaluator', { evaluator: carol })).toMatchObject(price)
    expect(await post(id, 'evaluator', { evaluator: requester })).toMatchObject({ status: 403, path: 'evaluator' })
    await api.seed.submission(id, alice)
    expect(await post(id, 'evaluator', { evaluator: carol })).toMatchObject({ status: 409 })
    expect(await post(await aContest(), 'evaluator', { evaluator: alice })).toMatchObject({ status: 409 })
  })

  test('a verdict over a contest costs the fee until the window after the expiry has passed', async () => {
    const award = (worker: Hex) => ({ verdict: 'approve', awards: [{ worker, amount: '4500000', rank: 1 }] })
    const window = 7200n
    expect(await post(await aContest(), 'evaluate', award(bob))).toMatchObject(price)
    const last = await aContest({ expiryTime: START - window + 1n })
    expect(await post(last, 'evaluate', award(bob))).toMatchObject(price)
    for (const late of [START - window, START - window - 1n]) {
      expect(await post(await aContest({ expiryTime: late }), 'evaluate', award(bob))).toMatchObject({ status: 409 })
    }
    expect(await post(await aContest(), 'evaluate', award(carol))).toMatchObject({
      status: 409,
      path: 'awards.0.worker',
    })
  })

  test('a verdict over a delivery costs the fee before the deadline; from then on the requester takes it back', async () => {
    const [waiting, late] = [START + 1n, START].map((evaluatorDeadline) => ({ evaluatorDeadline }))
    const approval = { verdict: 'approve' }
    expect(await post(await aDelivery('review', waiting), 'evaluate', approval)).toMatchObject(price)
    expect(await post(await aDelivery('review', late), 'evaluate', approval)).toMatchObject({ status: 409 })
    expect(await post(await aDelivery('review', waiting), 'evaluator-timeout')).toMatchObject({ status: 409 })
    expect(await post(await aDelivery('review', late), 'evaluator-timeout')).toMatchObject(price)
  })

  test('an appeal costs the fee before its deadline, where a resolver is named', async () => {
    const [waiting, late] = [START + 1n, START].map((appealDeadline) => ({ appealDeadline }))
    expect(await post(await aDelivery('appealing', waiting, evaluated), 'appeal')).toMatchObject(price)
    expect(await post(await aDelivery('appealing', late, evaluated), 'appeal')).toMatchObject({ status: 409 })
    const final = await aDelivery('appealing', { ...waiting, disputeResolver: null }, evaluated)
    expect(await post(final, 'appeal')).toMatchObject({ status: 409 })
  })

  test('a resolution costs the fee before its deadline, of at most what is in escrow', async () => {
    const disputed = { appealDeadline: START, resolutionDeadline: START + 1n }
    const award = (amount: string) => ({ verdict: 'partial', awards: [{ worker: alice, amount, rank: 1 }] })
    const task = await aDelivery('disputed', disputed, evaluated)
    expect(await post(task, 'resolve-dispute', award('5000000'))).toMatchObject(price)
    expect(await post(task, 'resolve-dispute', award('5000001'))).toMatchObject({ status: 400, path: 'awards' })
    // More than the contract's award can hold, and more than any account has.
    const immense = String(2n ** 96n - 1n)
    expect(await post(task, 'resolve-dispute', award(immense))).toMatchObject({ status: 400, path: 'awards' })
    const late = await aDelivery('disputed', { ...disputed, resolutionDeadline: START }, evaluated)
    expect(await post(late, 'resolve-dispute', award('1'))).toMatchObject({ status: 409 })
  })

  test('finalizing is refused before the deadline of its status', async () => {
    const early = { appealDeadline: START + 1n }
    expect(await post(await aDelivery('appealing', early, evaluated), 'finalize-verdict')).toMatchObject({
      status: 409,
    })
    const disputed = { appealDeadline: START - 9n, resolutionDeadline: START + 1n }
    expect(await post(await aDelivery('disputed', disputed, evaluated), 'finalize-verdict')).toMatchObject({
      status: 409,
    })
  })
})

/** The call of a request; no rule has to admit it here. */
async function callOf(write: AnyWrite, taskId: Hex, body = {}) {
  const input = parsedRequest(write, { params: { taskId }, body })
  const subject = (await write.load(api.deps, input, null)) ?? expect.fail('no such task')
  const prepared = await write.prepare(api.deps, subject, input, requester)
  if ('failure' in prepared) throw new Error(prepared.message)
  const { functionName, args } = decodeFunctionData({ abi: taskMarketAbi, data: prepared.data })
  return { functionName, args, content: prepared.content, mode: write.modes[0] }
}

describe('the calls', () => {
  const awards = [{ worker: alice, amount: '7', rank: 3 }]
  const onChain = [{ worker: getAddress(alice), amount: 7n, rank: 3 }]

  test('of a verdict name it by number, with full marks and no evidence unless given', async () => {
    const id = await aContest()
    expect(await callOf(evaluateTask, id, { verdict: 'reject' })).toEqual({
      functionName: 'evaluate',
      args: [id, 2, 1000, 1000, zeroHash, []],
      content: {},
      mode: 'paid',
    })
    const evidenceHash = `0x${'AB'.repeat(32)}`
    const given = { verdict: 'approve', score: 0, confidence: 7, evidenceHash, awards }
    expect(await callOf(evaluateTask, id, given)).toMatchObject({
      args: [id, 1, 0, 7, evidenceHash.toLowerCase(), onChain],
    })
    expect((await callOf(evaluateTask, id, { ...given, verdict: 'partial' })).args?.[1]).toBe(3)
  })

  test('of a resolution', async () => {
    const id = await aContest()
    expect(await callOf(resolveDispute, id, { verdict: 'partial', awards })).toMatchObject({
      functionName: 'resolveDispute',
      args: [id, 3, onChain],
      mode: 'paid',
    })
  })

  test('of naming an evaluator, with windows of a day and no resolver unless given', async () => {
    const { id } = await api.seed.task({ requester })
    const terms = { evaluator: getAddress(carol), resolver: zeroAddress, feeBps: 0 }
    expect(await callOf(assignEvaluator, id, { evaluator: carol })).toMatchObject({
      functionName: 'assignEvaluator',
      mode: 'paid',
      args: [id, { ...terms, evaluationWindow: 86_400, appealWindow: 86_400 }],
    })
    const given = {
      evaluator: carol,
      evaluatorFeeBps: 250,
      disputeResolver: dave,
      evaluationWindowHours: 1.5,
      appealWindowHours: 1 / 12,
    }
    expect((await callOf(assignEvaluator, id, given)).args).toEqual([
      id,
      {
        evaluator: getAddress(carol),
        resolver: getAddress(dave),
        feeBps: 250,
        evaluationWindow: 5400,
        appealWindow: 300,
      },
    ])
  })

  test('of the moves that need nothing but their task', async () => {
    const id = await aContest()
    expect(await callOf(appealVerdict, id)).toMatchObject({ functionName: 'appeal', args: [id], mode: 'paid' })
    expect(await callOf(timeOutEvaluator, id)).toMatchObject({ functionName: 'evaluatorTimeout', mode: 'paid' })
    expect(await callOf(finalizeVerdict, id)).toMatchObject({
      functionName: 'finalizeVerdict',
      args: [id],
      mode: 'open',
    })
  })
})

describe('an answer', () => {
  const evaluatorDeadlineOf = async (id: Hex) => (await api.get(`/api/tasks/${id}`)).body.evaluatorDeadline

  test('tells when a contest’s evaluator has used up its time while it is open, and of an ended one nothing', async () => {
    const expiryTime = START + 100n
    const told = new Date(Number(expiryTime + 7200n) * 1000).toISOString()
    expect(await evaluatorDeadlineOf(await aContest({ expiryTime }))).toBe(told)
    expect(await evaluatorDeadlineOf(await aContest({ expiryTime, status: 'cancelled' }))).toBeNull()
    expect(await evaluatorDeadlineOf(await aContest({ expiryTime, status: 'expired' }))).toBeNull()
  })
})
