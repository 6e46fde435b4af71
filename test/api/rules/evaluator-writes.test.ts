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

/** The evaluator flow on rows: the call of each write, and the deadline that an answer shows. */

const [requester, alice, bob, carol, dave] = [anActor(), anActor(), anActor(), anActor(), anActor()].map(
  ({ address }) => address,
) as [Hex, Hex, Hex, Hex, Hex]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

/** Carol judges for a tenth, dave resolves; alice and bob have submitted. */
async function aContest(columns: object = {}) {
  const task = await api.seed.task({ requester, disputeResolver: dave, ...columns })
  await api.seed.submission(task.id, alice)
  await api.seed.submission(task.id, bob)
  await api.seed.evaluation(task.id, carol, { disputeResolver: dave })
  return task.id
}

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
