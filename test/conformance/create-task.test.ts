import { describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

describe('Create task: POST /tasks', () => {
  test('charges exactly the reward, which is held in escrow', async () => {
    const requester = await environment.aWallet()
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({ requester: requester.address, market, forwarder })
    const { status, body } = await environment.pay(requester, '/tasks', aTaskBody({ reward: '2500000' }))
    expect(status).toBe(200)
    expect(await money.changes()).toEqual({ requester: -2_500_000n, market: 2_500_000n, forwarder: 0n })
    expect(body).toEqual({
      success: true,
      taskId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      intentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      taskDropId: null,
    })
  })

  test('is readable and listed after its answer, with the sent fields and the defaults', async () => {
    const requester = await environment.aWallet()
    const sent = {
      description: 'Deux vers — 二行',
      tags: ['haiku', 'poésie'],
      metricTarget: '17',
      metricDescription: 'syllables',
    }
    const taskId = await environment.createTask(requester, sent)
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task).toMatchObject({
      ...sent,
      id: taskId,
      requester: requester.account.address,
      reward: '2000000',
      status: 'open',
      phase: 'active',
      mode: 'bounty',
      taskVisibility: 'public',
      submissionVisibility: 'public',
      stakeRequired: false,
      stakeBps: 0,
      hookContract: null,
      evaluator: null,
      taskDropId: null,
      platformFeeBps: 750,
      submissionWindowOpen: true,
    })
    const { body: list } = await environment.get(`/tasks?requester=${requester.address}`)
    expect(list.tasks.map(({ id }: { id: string }) => id)).toEqual([taskId])
  })

  test.each([
    ['a day', 24, 86_400],
    ['half a second, rounded up', 0.5 / 3600, 1],
    ['a tenth of an hour', 0.1, 360],
    ['ten years, the longest', 87_600, 315_360_000],
  ])('converts the duration from hours to contract seconds: %s', async (_name, duration, seconds) => {
    const taskId = await environment.createTask(await environment.aWallet(), { duration })
    const { createdAt, expiryTime } = await environment.chain.task(taskId)
    expect(expiryTime - createdAt).toBe(seconds)
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(Date.parse(task.expiryTime)).toBe(expiryTime * 1000)
    expect(Math.floor(Date.parse(task.createdAt) / 1000)).toBe(createdAt)
  })

  test('refuses no description with 400 before the 402 and names the field', async () => {
    const answer = await environment.post('/tasks', { body: aTaskBody({ description: undefined }) })
    const { issues } = expectRefusal(answer, 400, 'payment_preflight_rejected')
    expect(issues).toEqual([{ path: 'description', message: expect.stringMatching(/./) }])
  })

  test.each([
    ['a list', '[]'],
    ['a string', '"task"'],
    ['null', 'null'],
    ['malformed JSON', '{"description":'],
    ['nothing', ''],
  ])('refuses a body that is %s', async (_name, body) => {
    expectRefusal(await environment.post('/tasks', { body }), 400, 'payment_preflight_rejected')
  })
})
