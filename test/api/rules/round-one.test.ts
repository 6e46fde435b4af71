import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'

/** What a write answers before a payment: the price, or why not. Spec, "Authentication" (payments). */

const [requester, alice, bob, carol] = [anActor(), anActor(), anActor(), anActor()]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ FREE_SUBMISSIONS: '1', SUBMISSION_CEILING: '3' })
})
afterAll(() => api.stop())

const post = (path: string, body: unknown) => api.post(path, body, { 'X-Service-Idempotency-Key': randomUUID() })

async function expectPrice(path: string, body: unknown, amount: string) {
  const answer = await post(path, body)
  expect(answer.body.accepts?.[0]?.amount ?? answer.body).toBe(amount)
  expect(answer.status).toBe(402)
}

async function expectRefusal(path: string, body: unknown, status: number, field?: string) {
  const answer = await post(path, body)
  expect({ status: answer.status, reason: answer.body.service?.reason }).toEqual({
    status,
    reason: 'payment_preflight_rejected',
  })
  if (field !== undefined) expect(answer.body.issues).toMatchObject([{ path: field }])
}

const anOpenTask = async () => {
  const task = await api.seed.task({ requester: requester.address })
  return { ...task, path: `/api/tasks/${task.id}` }
}

const aContestedTask = async () => {
  const task = await anOpenTask()
  const submission = await api.seed.submission(task.id, alice.address)
  await api.seed.submission(task.id, bob.address, { rejectedAt: START })
  return { ...task, submissionId: submission.id }
}

const anExpiredTask = async () => {
  const task = await api.seed.task({ requester: requester.address, expiryTime: START })
  return { ...task, path: `/api/tasks/${task.id}` }
}

describe('create', () => {
  const bounty = { description: 'Count the leaves', reward: '1500000', duration: 24, tags: ['trees'] }

  test('costs the reward', async () => {
    await expectPrice('/api/tasks', bounty, '1500000')
  })

  test.each<[string, object, string]>([
    ['without a description', { description: undefined }, 'description'],
    ['with an empty description', { description: '' }, 'description'],
    ['with too long a description', { description: 'x'.repeat(10_001) }, 'description'],
    ['without tags', { tags: undefined }, 'tags'],
    ['with eleven tags', { tags: Array.from({ length: 11 }, (_, index) => `${index}`) }, 'tags'],
    ['with a tag of another type', { tags: [1] }, 'tags.0'],
    ['with a negative reward', { reward: '-1' }, 'reward'],
    ['with a reward of another type', { reward: 1_500_000 }, 'reward'],
    ['with a reward of 0', { reward: '0' }, 'reward'],
    ['with a reward of 999', { reward: '999' }, 'reward'],
    ['without a duration', { duration: undefined }, 'duration'],
    ['with a duration of 0', { duration: 0 }, 'duration'],
    ['with a duration of more than ten years', { duration: 87_601 }, 'duration'],
    ['of an unknown mode', { mode: 'lottery' }, 'mode'],
    ['with a stake', { stakeRequired: true, stakeBps: 100 }, 'stakeRequired'],
    ['with a stake of more than everything', { stakeBps: 10_001 }, 'stakeBps'],
    ['with odd hook data', { hookData: '0xabc' }, 'hookData'],
    ['with a short password', { taskVisibility: 'private', accessPassword: '1234567' }, 'accessPassword'],
    ['as an auction of no type', { mode: 'auction', maxPrice: '1500000' }, 'auctionType'],
    ['with a pitch deadline after the expiry', { mode: 'pitch', pitchDeadline: 86_401 }, 'pitchDeadline'],
    ['to be claimed with a stake of nothing', { mode: 'claim', stakeRequired: true }, 'stakeBps'],
    ['with a resolver but no evaluator', { disputeResolver: alice.address }, 'disputeResolver'],
    ['with the zero hook', { hookContract: `0x${'00'.repeat(20)}` }, 'hookContract'],
    ['in private for no viewer', { taskVisibility: 'private' }, 'allowedViewers'],
    ['in an old drop and a new one', { taskDropId: 'drop', taskDropCreate: { name: 'x' } }, 'taskDropId'],
  ])('%s is refused before the price', async (_name, terms, field) => {
    await expectRefusal('/api/tasks', { ...bounty, ...terms }, 400, field)
  })
})

describe('update', () => {
  test('costs the fee and the increase', async () => {
    const { path } = await aContestedTask()
    await expectPrice(`${path}/update`, { description: 'new' }, '1000')
    await expectPrice(`${path}/update`, { reward: '5000001' }, '1001')
  })

  test('that changes nothing is refused', async () => {
    const { path } = await anOpenTask()
    await expectRefusal(`${path}/update`, {}, 400)
    await expectRefusal(`${path}/update`, { description: 'Write a haiku about escrow', tags: [] }, 409)
  })

  test('after a submission refuses a decrease; of another mode refuses the field', async () => {
    const { path } = await aContestedTask()
    await expectRefusal(`${path}/update`, { reward: '4999999' }, 409, 'reward')
    await expectRefusal(`${path}/update`, { pitchDeadline: Number(START) + 10 }, 400, 'pitchDeadline')
    await expectRefusal(`${path}/update`, { expiryTime: Number(START) }, 400, 'expiryTime')
  })
})

describe('decisions over submissions', () => {
  test('cost the fee', async () => {
    const { path, submissionId } = await aContestedTask()
    await expectPrice(`${path}/accept`, { worker: alice.address }, '1000')
    await expectPrice(`${path}/reject-submission`, { worker: alice.address }, '1000')
    const winners = [{ worker: alice.address, share: 10_000, submissionId }]
    await expectPrice(`${path}/accept-submissions`, { winners }, '1000')
  })

  test('over workers whose work does not stand are refused', async () => {
    const { path } = await aContestedTask()
    for (const worker of [bob.address, carol.address]) {
      await expectRefusal(`${path}/accept`, { worker }, 409, 'worker')
      await expectRefusal(`${path}/reject-submission`, { worker }, 409, 'worker')
      await expectRefusal(
        `${path}/accept-submissions`,
        { winners: [{ worker, share: 10_000 }] },
        409,
        'winners.0.worker',
      )
    }
  })

  test('by shares that are no split are refused', async () => {
    const { path } = await aContestedTask()
    const split = (winners: object[]) => [`${path}/accept-submissions`, { winners }] as const
    await expectRefusal(...split([]), 400, 'winners')
    await expectRefusal(...split([{ worker: alice.address, share: 9999 }]), 400, 'winners')
    await expectRefusal(...split([{ worker: alice.address, share: 10_001 }]), 400, 'winners.0.share')
    await expectRefusal(...split([{ worker: alice.address, share: 0.5 }]), 400, 'winners.0.share')
    const half = { worker: alice.address, share: 5000 }
    await expectRefusal(...split([half, half]), 400, 'winners.1.worker')
    await expectRefusal(...split([{ ...half, share: 10_000, submissionId: aHash() }]), 409, 'winners.0.submissionId')
  })
})

describe('exits', () => {
  test('cost the fee, and the refund is possible from the second of the expiry on', async () => {
    await expectPrice(`${(await anOpenTask()).path}/cancel`, undefined, '1000')
    await expectRefusal(`${(await anOpenTask()).path}/refund-expired`, undefined, 409)
    await expectPrice(`${(await anExpiredTask()).path}/refund-expired`, undefined, '1000')
  })

  test('are refused while a submission stands', async () => {
    await expectRefusal(`${(await aContestedTask()).path}/cancel`, undefined, 409)
    const expired = await anExpiredTask()
    await api.seed.submission(expired.id, alice.address)
    await expectRefusal(`${expired.path}/refund-expired`, undefined, 409)
  })
})

describe('rate', () => {
  test('costs the fee for an award without a rating', async () => {
    const { id, path } = await aContestedTask()
    await expectRefusal(`${path}/rate`, { worker: alice.address, rating: 90 }, 409)
    await api.seed.award(id, alice.address)
    await expectPrice(`${path}/rate`, { worker: alice.address, rating: 90, feedbackText: 'Thanks' }, '1000')
    await expectRefusal(`${path}/rate`, { worker: bob.address, rating: 90 }, 409, 'worker')
    for (const rating of [-1, 101, 0.5, '90']) {
      await expectRefusal(`${path}/rate`, { worker: alice.address, rating }, 400, 'rating')
    }
    // A terminal obeys U+009B as it obeys ESC [, and the feedback file is served as it is.
    for (const feedbackText of ['x'.repeat(501), 'good\u001b[31m', 'good\u009b31m', 'good\u007f']) {
      await expectRefusal(`${path}/rate`, { worker: alice.address, rating: 90, feedbackText }, 400, 'feedbackText')
    }
    await expectPrice(`${path}/rate`, { worker: alice.address, rating: 90, feedbackText: 'a\r\n\tb\u200fc' }, '1000')
  })
})

describe('submit', () => {
  const file = { fileName: 'a.txt', mimeType: 'text/plain', file: 'YWJj' }
  const signed = async (taskId: string, actor = carol) => ({
    workerAddress: actor.address,
    artifacts: [file],
    signature: await actor.account.signMessage({ message: `service:submit:${taskId}` }),
  })

  test('beyond the free allowance costs the fee; beyond the ceiling there is no more', async () => {
    const { id, path } = await anOpenTask()
    await api.seed.submission(id, carol.address)
    await expectPrice(`${path}/submissions`, await signed(id), '1000')
    await api.seed.submission(id, carol.address)
    await api.seed.submission(id, carol.address)
    const answer = await post(`${path}/submissions`, await signed(id))
    expect({ status: answer.status, service: answer.body.service }).toEqual({
      status: 429,
      service: {
        reason: 'unclassified',
        detail: 'submission_ceiling',
        docs: expect.stringMatching(/\/docs\/errors\/submission_ceiling$/),
      },
    })
  })

  test('with a signature of another or over something else is refused', async () => {
    const { id, path } = await anOpenTask()
    const body = await signed(id)
    await expectRefusal(`${path}/submissions`, { ...body, workerAddress: alice.address }, 403, 'signature')
    await expectRefusal(`${path}/submissions`, await signed(aHash()), 403, 'signature')
    await expectRefusal(`${path}/submissions`, { ...body, signature: '0x' }, 403, 'signature')
  })

  test('to a task that is over, or by a rejected worker, is refused', async () => {
    const expired = await anExpiredTask()
    await expectRefusal(`${expired.path}/submissions`, await signed(expired.id), 409)
    const contested = await aContestedTask()
    await expectRefusal(`${contested.path}/submissions`, await signed(contested.id, bob), 409)
  })

  test.each<[string, object, string]>([
    ['no artifacts', { artifacts: [] }, 'artifacts'],
    ['a legacy flat file', { artifacts: undefined, file: 'YWJj' }, 'artifacts'],
    ['21 artifacts', { artifacts: Array.from({ length: 21 }, () => file) }, 'artifacts'],
    ['an empty file', { artifacts: [{ ...file, file: '' }] }, 'artifacts.0.file'],
    ['a file that is not base64', { artifacts: [file, { ...file, file: 'YWJj=' }] }, 'artifacts.1.file'],
    ['a file without a name', { artifacts: [{ ...file, fileName: '' }] }, 'artifacts.0.fileName'],
    ['a name that is a path', { artifacts: [{ ...file, fileName: '../../etc/passwd' }] }, 'artifacts.0.fileName'],
    ['a name with a line break', { artifacts: [{ ...file, fileName: 'a\r\nX: 1.txt' }] }, 'artifacts.0.fileName'],
    ['a name that turns around', { artifacts: [{ ...file, fileName: 'ex\u202Egpj.exe' }] }, 'artifacts.0.fileName'],
    ['a name of 256 characters', { artifacts: [{ ...file, fileName: 'x'.repeat(256) }] }, 'artifacts.0.fileName'],
    ['a MIME type that is none', { artifacts: [{ ...file, mimeType: 'text' }] }, 'artifacts.0.mimeType'],
    ['an unknown role', { artifacts: [{ ...file, role: 'draft' }] }, 'artifacts.0.role'],
    ['no signature', { signature: undefined }, 'signature'],
    ['a worker that is no address', { workerAddress: '0x1' }, 'workerAddress'],
    ['the id of another task', { taskId: aHash() }, 'taskId'],
  ])('with %s is refused', async (_name, change, field) => {
    const { id, path } = await anOpenTask()
    await expectRefusal(`${path}/submissions`, { ...(await signed(id)), ...change }, 400, field)
  })
})

test('an unknown task is 404 for every write', async () => {
  const path = `/api/tasks/${aHash()}`
  const worker = alice.address
  await expectRefusal(`${path}/cancel`, undefined, 404)
  await expectRefusal(`${path}/refund-expired`, undefined, 404)
  await expectRefusal(`${path}/update`, { description: 'new' }, 404)
  await expectRefusal(`${path}/accept`, { worker }, 404)
  await expectRefusal(`${path}/accept-submissions`, { winners: [{ worker, share: 10_000 }] }, 404)
  await expectRefusal(`${path}/reject-submission`, { worker }, 404)
  await expectRefusal(`${path}/rate`, { worker, rating: 1 }, 404)
})
