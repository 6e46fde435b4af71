import { createHash, randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { writes } from '../../../api/server/routes.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { agreeToEverything, aPaidCreate, aPaidWrite } from '../writes/fake-payments.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Spec, "Private access": viewing is not participating; for any other caller a private task does not exist. */

const [requester, invited, stranger] = [anActor(), anActor(), anActor()]

const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
beforeAll(async () => {
  agreeToEverything(api)
})

/** A write that was admitted and bound: no relayer runs here, so it stays undecided. */
const BOUND = { status: 409, reason: 'intent_in_flight' }
const toOutcome = ({ status, body }: Answer) => ({ status, reason: body.service?.reason })

const aTask = async (taskVisibility: 'public' | 'private', columns: Record<string, unknown> = {}) =>
  (
    await api.seed.task(
      { requester: requester.address, ...columns },
      { taskVisibility, tags: ['a'], metricDescription: 'words' },
      { viewers: [invited.address] },
    )
  ).id

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.post(path, body, { 'X-Service-Idempotency-Key': randomUUID(), ...headers })

async function signed(verb: 'claim' | 'submit', worker: Actor, taskId: Hex) {
  const signature = await worker.account.signMessage({ message: `service:${verb}:${taskId}` })
  const artifacts = [{ fileName: 'a.txt', mimeType: 'text/plain', file: 'YWJj' }]
  return { workerAddress: worker.address, signature, artifacts }
}

/** An answer without the ids of its request and its task. */
const withoutNames = ({ status, body }: Answer, taskId: Hex) =>
  JSON.stringify([status, body])
    .replaceAll(taskId, 'TASK')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')

describe('before the payer is known', () => {
  const worker = invited.address
  const everything = {
    worker,
    workerAddress: worker,
    requesterAddress: worker,
    signature: '0x12',
    rating: 50,
    minPrice: '1',
    winners: [{ worker, share: 10_000 }],
    artifacts: [{ fileName: 'a', mimeType: 'text/plain', file: 'YWJj' }],
  }
  const states = [{}, { status: 'claimed', mode: 'claim' }, { status: 'completed' }, { expiryTime: START }]
  /** A private and a public task in each state; no request here changes one. */
  let pairs: [Hex, Hex][]
  beforeAll(async () => {
    pairs = await Promise.all(
      states.map(async (state): Promise<[Hex, Hex]> => [await aTask('private', state), await aTask('public', state)]),
    )
  })

  test.each(writes.filter(({ path }) => path.includes('{taskId}')).map(({ operation, path }) => [operation, path]))(
    'given %s, then the answers about a private and a public task are the same',
    async (_operation, path = '') => {
      const answerOf = async (taskId: Hex) => {
        const answer = await post(`/api${path.replace('{taskId}', taskId)}`, { ...everything, description: 'new' })
        return withoutNames(answer, taskId)
      }
      for (const [privateId, publicId] of pairs) expect(await answerOf(privateId)).toBe(await answerOf(publicId))
    },
  )

  test('given an update of a private task, then no answer tells whether its texts are the current ones', async () => {
    const taskId = await aTask('private')
    for (const guess of [
      { description: 'Write a haiku about escrow' },
      { tags: ['a'] },
      { metricDescription: 'words' },
    ]) {
      expect((await post(`/api/tasks/${taskId}/update`, guess)).status).toBe(402)
      // A caller who may see them gets the reason.
      const { roundTwo } = aPaidWrite(api, `/api/tasks/${taskId}/update`, { body: guess, payer: requester })
      expect(toOutcome(await roundTwo())).toEqual({ status: 409, reason: 'payment_preflight_rejected' })
    }
  })

  test('given any answer, then it does not reveal the invited wallets', async () => {
    const taskId = await aTask('private')
    const answers = await Promise.all(
      [invited.address, stranger.address].map(async (workerAddress) => {
        const body = { ...(await signed('submit', stranger, taskId)), workerAddress, signature: `0x${'ab'.repeat(65)}` }
        return withoutNames(await post(`/api/tasks/${taskId}/submissions`, body), taskId).replaceAll(workerAddress, 'W')
      }),
    )
    expect(answers[0]).toBe(answers[1])
  })
})

describe('by the signature in the body', () => {
  test.each(['submissions', 'submissions/from-keys', 'submissions/request-upload-url', 'claim'])(
    'given %s and a stranger, then a private task in any state is unknown',
    async (route) => {
      const verb = route === 'claim' ? 'claim' : 'submit'
      const path = (taskId: Hex) => `/api/tasks/${taskId}/${route}`
      const hashes = { sha256Hash: '0'.repeat(64), keccak256Hash: aHash() }
      const bodyOf = async (actor: Actor, taskId: Hex) => {
        const { artifacts, ...claimed } = await signed(verb, actor, taskId)
        const described = { fileName: 'a', mimeType: 'text/plain', sizeBytes: 3 }
        const keyed = { artifactKey: `${taskId}/${randomUUID()}`, sizeBytes: 3, ...hashes }
        return { ...claimed, ...described, artifacts: artifacts.map((file) => ({ ...file, ...keyed })) }
      }
      const unknown = aHash()
      const nothing = withoutNames(await post(path(unknown), await bodyOf(stranger, unknown)), unknown)
      for (const columns of [{}, { status: 'completed' }, { mode: 'claim' }, { expiryTime: START - 1n }]) {
        const taskId = await aTask('private', columns)
        expect(withoutNames(await post(path(taskId), await bodyOf(stranger, taskId)), taskId)).toBe(nothing)
      }
    },
  )

  test.each(['submit', 'claim'] as const)(
    'given %s, then an invited wallet is admitted, and for a stranger the task is unknown',
    async (verb) => {
      const columns = verb === 'claim' ? { mode: 'claim' } : {}
      const path = (taskId: Hex) => `/api/tasks/${taskId}/${verb === 'claim' ? 'claim' : 'submissions'}`
      const taskId = await aTask('private', columns)
      const refused = await post(path(taskId), await signed(verb, stranger, taskId))
      expect(toOutcome(refused)).toEqual({ status: 404, reason: 'payment_preflight_rejected' })
      expect(toOutcome(await post(path(taskId), await signed(verb, invited, taskId)))).toEqual(BOUND)
      await expectBound(invited.address, verb === 'claim' ? 'claims.create' : 'submissions.create')
    },
  )

  test('given identity and grant of the requester in the headers, then a stranger is refused all the same', async () => {
    const taskId = await aTask('private')
    const headers = { ...(await readHeadersOf(invited)), 'X-Service-Task-Access-Grant': 'whatever' }
    const answer = await post(`/api/tasks/${taskId}/submissions`, await signed('submit', stranger, taskId), headers)
    expect(answer.status).toBe(404)
  })
})

describe('by a payment', () => {
  const pay = async (payer: Actor, path: string, body = {}) => await aPaidWrite(api, path, { body, payer }).roundTwo()
  const unknownTask = { status: 404, reason: 'payment_preflight_rejected' }

  test('given a stranger, then the task is unknown, and no intent is bound', async () => {
    const payer = anActor()
    const [open, claimable] = [await aTask('private'), await aTask('private', { mode: 'claim', stakeBps: 1000 })]
    await api.seed.submission(open, invited.address)
    const paths: [string, object?][] = [
      [`/api/tasks/${open}/update`, { description: 'mine now' }],
      [`/api/tasks/${open}/accept`, { worker: invited.address }],
      [`/api/tasks/${open}/reject-submission`, { worker: invited.address }],
      [`/api/tasks/${open}/accept-submissions`, { winners: [{ worker: invited.address, share: 10_000 }] }],
      [`/api/tasks/${claimable}/cancel`],
      [`/api/tasks/${claimable}/claim`, await signed('claim', payer, claimable)],
    ]
    for (const [path, body] of paths) {
      const answer = await pay(payer, path, body)
      expect({ path, ...toOutcome(answer) }).toEqual({ path, ...unknownTask })
      expect(answer.body.error).toBe('There is no such task.')
    }
    const [{ count } = { count: -1 }] = await api.sql<{ count: number }[]>`
      select count(*)::int as count from service.intents where initiator = ${payer.address}`
    expect(count).toBe(0)
  })

  test('given a private task, then an invited wallet may stake, and the requester alone may act as the requester', async () => {
    const claimable = await aTask('private', { mode: 'claim', stakeBps: 1000 })
    const path = `/api/tasks/${claimable}`
    expect(toOutcome(await pay(invited, `${path}/cancel`))).toEqual({ ...unknownTask, status: 403 })
    expect(toOutcome(await pay(invited, `${path}/claim`, await signed('claim', invited, claimable)))).toEqual(BOUND)
    expect(toOutcome(await pay(requester, `${path}/cancel`))).toEqual(BOUND)
  })

  test('given an expired task, then any account may settle it, private or not', async () => {
    const path = `/api/tasks/${await aTask('private', { expiryTime: START })}/refund-expired`
    expect(toOutcome(await pay(stranger, path))).toEqual(BOUND)
  })
})

describe('creation', () => {
  const password = 'a very secret password'

  test('given invited wallets and a password, then each wallet but the requester is stored once, and a slow hash', async () => {
    const terms = {
      taskVisibility: 'private',
      allowedViewers: [invited.account.address, invited.address, requester.address, stranger.address],
      accessPassword: password,
    }
    const { roundTwo } = aPaidCreate(api, terms, requester)
    expect(toOutcome(await roundTwo())).toEqual(BOUND)
    const [access] = await api.sql<{ contentHash: Hex; passwordHash: string; taskVisibility: string }[]>`
      select a.content_hash, a.password_hash, c.task_visibility
      from service.task_access a join service.task_content c using (requester, content_hash)
      where a.requester = ${requester.address} and a.password_hash is not null`
    expect(access).toMatchObject({ taskVisibility: 'private', passwordHash: expect.stringMatching(/^\$scrypt\$/) })
    const viewers = await api.sql<{ viewer: Address }[]>`
      select viewer from service.task_viewers where content_hash = ${access?.contentHash ?? ''} order by viewer`
    expect(viewers.map(({ viewer }) => viewer)).toEqual([invited.address, stranger.address].sort())
    expect(await api.deps.passwords.matches(password, access?.passwordHash ?? null)).toBe(true)
    await expectNowhere(password)
  })

  test('given a repeated request with the same password, then it is the same one, before and after the bind', async () => {
    const terms = { taskVisibility: 'private', accessPassword: password }
    const { key, body, roundOne, roundTwo } = aPaidCreate(api, terms)
    const withPassword = (accessPassword: string | undefined) =>
      api.post('/api/tasks', { ...body, accessPassword }, { 'X-Service-Idempotency-Key': key })
    const mismatch = { status: 409, reason: 'idempotency_key_payload_mismatch' }
    expect((await roundOne()).status).toBe(402)
    expect((await withPassword(password)).status).toBe(402)
    expect(toOutcome(await withPassword(`${password}.`))).toEqual(mismatch)
    await roundTwo()
    expect(toOutcome(await withPassword(`${password}.`))).toEqual(mismatch)
    expect(toOutcome(await withPassword(password))).toEqual({ status: 409, reason: 'idempotency_key_reused' })
    await expectNowhere(password)
  })

  test('given a public task, then neither is stored', async () => {
    await aPaidCreate(api, {}, stranger).roundTwo()
    expect(await api.sql`select from service.task_access where requester = ${stranger.address}`).toHaveLength(0)
  })
})

async function expectBound(initiator: Address, operation: string): Promise<void> {
  const bound = await api.sql`select from service.intents where initiator = ${initiator} and operation = ${operation}`
  expect(bound.length).toBeGreaterThan(0)
}

/** No row of the service's tables has a text or a fast hash of it. */
async function expectNowhere(secret: string): Promise<void> {
  const tables = await api.sql<{ tablename: string }[]>`select tablename from pg_tables where schemaname = 'service'`
  const hashes = ['sha1', 'sha256', 'sha512', 'md5'].map((name) => createHash(name).update(secret).digest('hex'))
  for (const { tablename } of tables) {
    const [row] = await api.sql<{ text: string | null }[]>`
      select string_agg(t::text, ' ') as text from service.${api.sql(tablename)} t`
    for (const needle of [secret, ...hashes]) expect(row?.text?.includes(needle) ?? false, tablename).toBe(false)
  }
}
