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

  test('stores the chosen visibilities, which an unlisted task shows by id', async () => {
    const taskId = await environment.createTask(await environment.aWallet(), {
      taskVisibility: 'unlisted',
      submissionVisibility: 'winner_only',
    })
    const { body: task } = await environment.get(`/tasks/${taskId}`)
    expect(task).toMatchObject({ taskVisibility: 'unlisted', submissionVisibility: 'winner_only' })
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

  test('commits to a salted content hash: equal texts have different hashes', async () => {
    const requester = await environment.aWallet()
    const first = await environment.chain.task(await environment.createTask(requester))
    const second = await environment.chain.task(await environment.createTask(requester))
    expect(first.contentHash).not.toBe(second.contentHash)
    expect(BigInt(first.contentHash)).not.toBe(0n)
  })

  test('accepts texts at their limits: 10000 characters, 10 tags, metrics of 500 and 200', async () => {
    const sent = {
      description: '詩'.repeat(10_000),
      tags: Array.from({ length: 10 }, (_, index) => `tag ${index}`),
      metricDescription: 'm'.repeat(500),
      metricTarget: 't'.repeat(200),
    }
    const taskId = await environment.createTask(await environment.aWallet(), sent)
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject(sent)
  })

  test('accepts the smallest reward, 1000 base units, and no tags', async () => {
    const taskId = await environment.createTask(await environment.aWallet(), { reward: '1000', tags: [] })
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({
      reward: '1000',
      netReward: '925',
      tags: [],
    })
  })

  test('ignores unknown fields', async () => {
    const taskId = await environment.createTask(await environment.aWallet(), {
      bounty: true,
      id: '0x00',
      status: 'completed',
    })
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ id: taskId, status: 'open' })
  })

  const viewer = '0x00000000000000000000000000000000000000aa'
  test.each<[string, string, Record<string, unknown>]>([
    ['no description', 'description', { description: undefined }],
    ['an empty description', 'description', { description: '' }],
    ['a description of 10001 characters', 'description', { description: 'a'.repeat(10_001) }],
    ['a description with NUL', 'description', { description: 'a\0b' }],
    ['a description with a lone surrogate', 'description', { description: 'a\ud800b' }],
    ['no reward', 'reward', { reward: undefined }],
    ['an empty reward', 'reward', { reward: '' }],
    ['a reward of "0"', 'reward', { reward: '0' }],
    ['a reward below 1000', 'reward', { reward: '999' }],
    ['a negative reward', 'reward', { reward: '-1000' }],
    ['a reward with a fraction', 'reward', { reward: '1000.5' }],
    ['a reward with an exponent', 'reward', { reward: '1e6' }],
    ['a reward that is a number', 'reward', { reward: 2_000_000 }],
    ['a reward of 80 digits', 'reward', { reward: '9'.repeat(80) }],
    ['no duration', 'duration', { duration: undefined }],
    ['a duration of zero', 'duration', { duration: 0 }],
    ['a negative duration', 'duration', { duration: -1 }],
    ['a duration beyond ten years', 'duration', { duration: 87_601 }],
    ['a duration that is a string', 'duration', { duration: '24' }],
    ['no tags', 'tags', { tags: undefined }],
    ['eleven tags', 'tags', { tags: Array.from({ length: 11 }, (_, index) => `tag ${index}`) }],
    ['a tag that is a number', 'tags', { tags: [7] }],
    ['an unknown mode', 'mode', { mode: 'contest' }],
    ['an unknown task visibility', 'taskVisibility', { taskVisibility: 'secret' }],
    ['an unknown submission visibility', 'submissionVisibility', { submissionVisibility: 'all' }],
    ['a stake outside claim mode', 'stake', { stakeRequired: true, stakeBps: 1000 }],
    ['stakeBps above 10000', 'stakeBps', { stakeBps: 10_001 }],
    ['stakeBps with a fraction', 'stakeBps', { stakeBps: 0.5 }],
    ['metricDescription of 501 characters', 'metricDescription', { metricDescription: 'a'.repeat(501) }],
    ['metricTarget of 201 characters', 'metricTarget', { metricTarget: 'a'.repeat(201) }],
    ['hook data with an odd number of digits', 'hookData', { hookData: '0x123' }],
    ['hook data above 4096 bytes', 'hookData', { hookData: `0x${'00'.repeat(4097)}` }],
    ['an evaluator fee without an evaluator', 'evaluatorFeeBps', { evaluatorFeeBps: 500 }],
    ['an evaluation window without an evaluator', 'evaluationWindowHours', { evaluationWindowHours: 24 }],
    ['a dispute resolver without an evaluator', 'disputeResolver', { disputeResolver: viewer }],
    ['both an existing and a new task drop', 'taskDrop', { taskDropId: 'drop', taskDropCreate: { name: 'new' } }],
    ['a new task drop without a name', 'taskDropCreate', { taskDropCreate: {} }],
    ['a private task without viewers or password', '', { taskVisibility: 'private' }],
    ['a viewer list on a public task', 'allowedViewers', { allowedViewers: [viewer] }],
    ['51 viewers', 'allowedViewers', { taskVisibility: 'private', allowedViewers: Array(51).fill(viewer) }],
    ['a password on a public task', 'accessPassword', { accessPassword: 'long enough' }],
    ['a password of 7 characters', 'accessPassword', { taskVisibility: 'private', accessPassword: 'seven c' }],
  ])('refuses %s with 400 before the 402 and names the field', async (_name, field, fields) => {
    const answer = await environment.post('/tasks', { body: aTaskBody(fields) })
    const { issues } = expectRefusal(answer, 400, 'payment_preflight_rejected')
    expect(issues).toEqual(
      expect.arrayContaining([{ path: expect.stringMatching(`^${field}`), message: expect.stringMatching(/./) }]),
    )
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
