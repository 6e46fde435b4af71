import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type ObjectStore, StorageFullError } from '../../../api/artifacts/storage/object-store.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import type { Answer, TestApi } from '../../support/api.ts'
import { aSubmissionBody } from '../../support/conformance-fixtures.ts'
import { aHash, anIntent } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'
import { aLocalFile, anUploadRequest, type LocalFile } from '../../support/uploads.ts'
import { aStartedApi } from '../writes/started-api.ts'

const requester = anActor()

const api = aStartedApi({
  SUBMISSION_CEILING: '3',
  UPLOADS_OPEN: '2',
  WORKER_BYTES_PER_DAY: '1000',
  TRUSTED_PROXIES: '10.0.0.1',
})

const aTask = async (columns: Partial<TaskColumns> = {}) =>
  (await api.seed.task({ requester: requester.address, ...columns })).id
const pathOf = (taskId: Hex) => `/api/tasks/${taskId}/submissions/request-upload-url`

/** A client of its own. */
let clients = 0
const aClient = () => `203.0.113.${++clients}`

/** One request of a client, a new one unless given. */
async function ask(
  taskId: Hex,
  body: unknown,
  { client = aClient(), app = api.app }: { client?: string; app?: TestApi['app'] } = {},
): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': client }
  const incoming = { socket: { remoteAddress: '10.0.0.1' } }
  const response = await app.request(
    pathOf(taskId),
    { method: 'POST', headers, body: JSON.stringify(body) },
    { incoming },
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const askFor = async (taskId: Hex, worker: Actor, { client, file }: { client?: string; file?: LocalFile } = {}) =>
  await ask(taskId, await anUploadRequest(worker, taskId, file), client === undefined ? {} : { client })

const ofSize = (sizeBytes: number): LocalFile => aLocalFile('x'.repeat(sizeBytes))
const uploadIdOf = ({ body }: Answer): string => body.artifactKey.split('/')[1]

describe('an upload URL', () => {
  test('comes with its key, the headers of the PUT and its end, all of which is noted before', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const file = aLocalFile('héllo', {
      fileName: 'Überblick 二.txt',
      mimeType: 'text/plain; charset=utf-8',
      role: 'source',
    })
    const client = aClient()
    const answer = await askFor(taskId, alice, { client, file })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const id = uploadIdOf(answer)
    expect(answer.body).toEqual({
      uploadUrl: expect.stringContaining(`/api/uploads/${id}?`),
      artifactKey: `${taskId}/${id}`,
      uploadHeaders: { 'Content-Type': 'text/plain; charset=utf-8' },
      expiresAt: expect.stringMatching(/^\d{4}-.*\.000Z$/),
    })
    const [row] = await api.sql`select * from service.uploads where id = ${id}`
    expect(row).toMatchObject({
      taskId,
      worker: alice.address,
      role: 'source',
      sizeBytes: 6n,
      intentId: null,
      version: null,
      fileName: 'Überblick 二.txt',
      mimeType: 'text/plain; charset=utf-8',
      expiresAt: new Date(answer.body.expiresAt),
    })
    // By the database's clock: an hour, to the second.
    const lifetime = row?.expiresAt.getTime() - row?.createdAt.getTime()
    expect(lifetime).toBeGreaterThan(3_599_000 - 1)
    expect(lifetime).toBeLessThanOrEqual(3_600_000)
    expect(row?.client).not.toContain(client)
    const query = new URL(answer.body.uploadUrl).searchParams
    const promised = { sizeBytes: 6, mimeType: file.mimeType, expiresAt: Number(query.get('expires')) }
    const link = { ...promised, signature: query.get('signature') ?? '' }
    expect(promised.expiresAt * 1000).toBe(Date.parse(answer.body.expiresAt))
    expect(api.deps.links.isUpload(id, link)).toBe(true)
    expect(api.deps.links.isUpload(id, { ...link, sizeBytes: 7 })).toBe(false)
  })

  test('is for the final file unless said otherwise, and the task need not be repeated', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const answer = await ask(taskId, { ...(await anUploadRequest(alice, taskId)), taskId: undefined })
    const [row] = await api.sql`select role from service.uploads where id = ${uploadIdOf(answer)}`
    expect(row?.role).toBe('final')
  })

  test.each<[string, object, string]>([
    ['a name that is a path', { fileName: '../a.txt' }, 'fileName'],
    ['a MIME type with a line break', { mimeType: 'text/plain\r\nX: 1' }, 'mimeType'],
    ['a byte beyond 500 MB', { sizeBytes: 500 * 1024 * 1024 + 1 }, 'sizeBytes'],
    ['a size as text', { sizeBytes: '20' }, 'sizeBytes'],
    ['no signature', { signature: undefined }, 'signature'],
    ['the id of another task', { taskId: aHash() }, 'taskId'],
  ])('with %s is refused by the field', async (_name, change, field) => {
    const [taskId, alice] = [await aTask(), anActor()]
    const answer = await ask(taskId, { ...(await anUploadRequest(alice, taskId)), ...change })
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toMatchObject([{ path: field }])
    expect(await api.sql`select id from service.uploads where worker = ${alice.address}`).toHaveLength(0)
  })
})

test('an upload that the storage has no room for is refused with 507, and uses nothing up', async () => {
  const [taskId, alice] = [await aTask(), anActor()]
  const storage: ObjectStore = {
    ...api.deps.storage,
    uploadTarget: async () => {
      throw new StorageFullError({ cause: new Error('ENOSPC') })
    },
  }
  const { status, body } = await ask(taskId, await anUploadRequest(alice, taskId), {
    app: createApp({ ...api.deps, storage }),
  })
  expect({ status, code: body.code }).toEqual({ status: 507, code: 'INSUFFICIENT_STORAGE' })
  expect(await api.sql`select id from service.uploads where worker = ${alice.address}`).toHaveLength(0)
})

describe('who may not submit may not upload, and is told the same', () => {
  // `test/unit/domain/actions/refusals.test.ts` has the rules, `test/api/access/private-writes.test.ts` unknown and private tasks.
  test.each<[string, (worker: Actor) => Promise<Hex>, number]>([
    ['a settled task', async () => aTask({ status: 'cancelled' }), 409],
    ['another worker’s task', async () => aTask({ mode: 'claim', status: 'claimed', worker: anActor().address }), 403],
    [
      'one with all submissions of the worker',
      async ({ address }) => {
        const taskId = await aTask()
        for (let count = 0; count < 3; count += 1) await api.seed.submission(taskId, address)
        return taskId
      },
      429,
    ],
  ])('%s', async (_name, make, status) => {
    const alice = anActor()
    const taskId = await make(alice)
    const upload = await askFor(taskId, alice)
    const submission = await api.post(`/api/tasks/${taskId}/submissions`, await aSubmissionBody(alice, taskId), {
      'X-Service-Idempotency-Key': randomUUID(),
    })
    const told = ({ status, body: { error, service } }: Answer) => ({ status, error, reason: service.reason })
    expect(upload.status).toBe(status)
    expect(told(upload)).toEqual(told(submission))
  })

  test('without the worker’s signature', async () => {
    const [taskId, alice, bob] = [await aTask(), anActor(), anActor()]
    const answer = await ask(taskId, { ...(await anUploadRequest(bob, taskId)), workerAddress: alice.address })
    expect(answer.status).toBe(403)
    expect(answer.body.error).toContain(`service:submit:${taskId}`)
  })

  test('who may submit once more may upload', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    for (let count = 0; count < 2; count += 1) await api.seed.submission(taskId, alice.address)
    expect((await askFor(taskId, alice)).status).toBe(200)
  })
})

describe('limits', () => {
  const inSeconds = ({ headers }: Answer) => Number(headers.get('retry-after'))

  test('a worker has so many uploads open; one that is submitted or whose URL expired is open no more', async () => {
    const [taskId, alice, client] = [await aTask(), anActor(), aClient()]
    const again = async () => await askFor(taskId, alice, { client })
    const [first, second] = [await again(), await again()]
    await api.sql`update service.uploads set expires_at = now() + interval '90 seconds' where id = ${uploadIdOf(second)}`
    const refused = await again()
    expect(refused.status).toBe(429)
    expect(refused.body.error).toContain('2 uploads open')
    expect(inSeconds(refused)).toBeGreaterThan(60)
    expect(inSeconds(refused)).toBeLessThanOrEqual(90)

    await api.sql`update service.uploads set expires_at = now() where id = ${uploadIdOf(second)}`
    expect((await again()).status).toBe(200)
    expect((await again()).status).toBe(429)
    const id = await anIntent(api.sql, 'submissions.createFromKeys')
    await api.sql`update service.uploads set intent_id = ${id} where id = ${uploadIdOf(first)}`
    expect((await again()).status).toBe(200)
  })

  test('a stranger who sends a worker’s signature again uses nothing up that is the worker’s', async () => {
    const [taskId, alice, [home, elsewhere]] = [await aTask(), anActor(), [aClient(), aClient()]]
    for (let count = 0; count < 2; count += 1) await askFor(taskId, alice, { client: elsewhere })
    expect((await askFor(taskId, alice, { client: elsewhere })).status).toBe(429)
    expect((await askFor(taskId, alice, { client: home })).status).toBe(200)
  })

  test('a client has five workers’ worth, whatever wallets it makes', async () => {
    const [taskId, client] = [await aTask(), aClient()]
    for (let count = 0; count < 10; count += 1) {
      expect((await askFor(taskId, anActor(), { client })).status).toBe(200)
    }
    const refused = await askFor(taskId, anActor(), { client })
    expect(refused.status).toBe(429)
    expect(refused.body.error).toContain('This client may have 10 uploads open')
  })

  test('a worker has so many bytes a day, to the byte, and is told when there is room again', async () => {
    const [alice, client] = [anActor(), aClient()]
    const again = async (sizeBytes: number) => {
      const answer = await askFor(await aTask(), alice, { client, file: ofSize(sizeBytes) })
      // So that only bytes count.
      await api.sql`update service.uploads set expires_at = now() where worker = ${alice.address}`
      return answer
    }
    const age = (answer: Answer, hours: number) =>
      api.sql`update service.byte_charges set created_at = now() - make_interval(hours => ${hours}) where id = ${uploadIdOf(answer)}`
    const [oldest, second] = [await again(300), await again(300)]
    await age(oldest, 20)
    await age(second, 10)
    expect((await again(401)).status).toBe(429)
    expect((await again(400)).status).toBe(200)
    const whenRoomFor = async (sizeBytes: number) => Math.round(inSeconds(await again(sizeBytes)) / 3600)
    expect(await whenRoomFor(1)).toBe(4)
    expect(await whenRoomFor(300)).toBe(4)
    expect(await whenRoomFor(301)).toBe(14)
    expect(await whenRoomFor(600)).toBe(14)
    expect(await whenRoomFor(601)).toBe(24)
    await age(oldest, 24)
    expect((await again(301)).status).toBe(429)
    expect((await again(300)).status).toBe(200)
  })

  test('of requests that come at once no more are granted than fit', async () => {
    const [taskId, alice, client] = [await aTask(), anActor(), aClient()]
    const answers = await Promise.all(Array.from({ length: 8 }, () => askFor(taskId, alice, { client })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429, 429, 429])
    const [{ count } = { count: 0 }] = await api.sql<{ count: number }[]>`
      select count(*)::int as count from service.uploads where worker = ${alice.address}`
    expect(count).toBe(2)
  })
})
