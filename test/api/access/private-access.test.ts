import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswordHasher } from '../../../api/identity/password-hasher.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import { type Answer, startTestApi, type TestApi } from '../../support/api.ts'
import { countedScrypt, fastScrypt } from '../../support/fast-scrypt.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Spec, "Private access": the list of invited wallets, and the password. */

const PASSWORD = 'open, sesame'
const GRANT = 'X-Service-Task-Access-Grant'
const [requester, alice, bob, stranger] = [anActor(), anActor(), anActor(), anActor()]

let passwordHash: string
const api = aStartedApi()
beforeAll(async () => {
  passwordHash = await createPasswordHasher(fastScrypt).hash(PASSWORD)
})

const aPrivateTask = async (access: { passwordHash?: string; viewers?: `0x${string}`[] } = {}, on = api) =>
  (await on.seed.task({ requester: requester.address }, { taskVisibility: 'private' }, access)).id

const viewersPath = (taskId: Hex) => `/api/tasks/${taskId}/private-access/viewers`

async function call(method: 'GET' | 'POST' | 'DELETE', path: string, as?: Actor, body?: unknown): Promise<Answer> {
  const response = await api.app.request(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(as && (await readHeadersOf(as))) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('viewers', () => {
  const list = async (taskId: Hex) =>
    (await call('GET', viewersPath(taskId), requester)).body.map((row: { viewerAddress: string }) => row.viewerAddress)

  test('given an invitation, then the wallet sees the task until it is revoked', async () => {
    const taskId = await aPrivateTask()
    const sees = async () => (await call('GET', `/api/tasks/${taskId}`, alice)).body !== null
    expect(await sees()).toBe(false)
    const added = await call('POST', viewersPath(taskId), requester, { viewerAddress: alice.address })
    expect(added.status).toBe(200)
    expect(added.body).toEqual({
      viewerAddress: alice.account.address,
      addedBy: requester.account.address,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect((await call('GET', viewersPath(taskId), requester)).body).toEqual([added.body])
    expect(await sees()).toBe(true)
    const path = `${viewersPath(taskId)}/${alice.account.address}`
    expect((await call('DELETE', path, requester)).body).toEqual({ success: true })
    expect(await sees()).toBe(false)
    expect((await call('DELETE', path, requester)).body).toEqual({ success: true })
    expect(await list(taskId)).toEqual([])
  })

  test('given the same wallet again, in any case of its letters, then there is one invitation, the first', async () => {
    const taskId = await aPrivateTask()
    const first = await call('POST', viewersPath(taskId), requester, { viewerAddress: alice.address })
    const again = await call('POST', viewersPath(taskId), requester, { viewerAddress: alice.account.address })
    expect(again.body).toEqual(first.body)
    expect(await list(taskId)).toHaveLength(1)
  })

  test('given 50, then one more is refused, and a repeated one is not', async () => {
    const viewers = Array.from({ length: 50 }, () => anActor().address)
    const taskId = await aPrivateTask({ viewers })
    expect((await call('POST', viewersPath(taskId), requester, { viewerAddress: alice.address })).status).toBe(409)
    expect((await call('POST', viewersPath(taskId), requester, { viewerAddress: viewers[7] })).status).toBe(200)
    await call('DELETE', `${viewersPath(taskId)}/${viewers[7]}`, requester)
    expect((await call('POST', viewersPath(taskId), requester, { viewerAddress: alice.address })).status).toBe(200)
    expect(await list(taskId)).toHaveLength(50)
  })

  test('given many concurrent ones, then never more than 50', async () => {
    const taskId = await aPrivateTask({ viewers: Array.from({ length: 47 }, () => anActor().address) })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('POST', viewersPath(taskId), requester, { viewerAddress: anActor().address }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
    expect(await list(taskId)).toHaveLength(50)
  })

  test('given the requester, who sees it anyway, then 400 names the field', async () => {
    const viewers = viewersPath(await aPrivateTask())
    const { status, body } = await call('POST', viewers, requester, { viewerAddress: requester.account.address })
    expect({ status, path: body.issues[0].path }).toEqual({ status: 400, path: 'viewerAddress' })
  })

  test('given any caller but the requester, then none of the three routes answers, and none changes anything', async () => {
    const taskId = await aPrivateTask({ viewers: [alice.address] })
    const unknown = aHash()
    const open = (await api.seed.task({ requester: requester.address })).id
    const ask = async (id: Hex, as?: Actor) => {
      const answers = [
        await call('GET', viewersPath(id), as),
        await call('POST', viewersPath(id), as, { viewerAddress: bob.address }),
        await call('DELETE', `${viewersPath(id)}/${alice.address}`, as),
      ]
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
      return { status: answers[0]?.status, error: answers[0]?.body.error }
    }
    expect(await ask(taskId)).toMatchObject({ status: 401 })
    expect(await ask(unknown)).toEqual(await ask(taskId))
    expect(await ask(taskId, stranger)).toMatchObject({ status: 404 })
    expect(await ask(unknown, stranger)).toEqual(await ask(taskId, stranger))
    // A caller who sees the task gets the reason.
    expect(await ask(taskId, alice)).toMatchObject({ status: 403 })
    expect(await ask(open, stranger)).toMatchObject({ status: 403 })
    expect(await ask(open, requester)).toMatchObject({ status: 409 })
    expect(await list(taskId)).toEqual([alice.account.address])
  })
})

describe('the password', () => {
  const verify = (taskId: Hex, password: unknown, headers: Record<string, string> = {}, on = api) =>
    on.post(`/api/tasks/${taskId}/private-access/verify`, { taskId, password }, headers)

  test('given the right one, then a grant that opens this task for a day, by the time of the chain', async () => {
    const taskId = await aPrivateTask({ passwordHash })
    const other = await aPrivateTask({ passwordHash })
    const { status, body, headers } = await verify(taskId, PASSWORD)
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 200, cache: 'no-store' })
    expect(body).toEqual({
      grant: expect.stringMatching(/^1\.\d+\.[\w-]{43}$/),
      expiresAt: new Date(Number(START + 86_400n) * 1000).toISOString(),
    })
    const sees = async (id: Hex) => (await api.get(`/api/tasks/${id}`, { [GRANT]: body.grant })).body?.id ?? null
    expect(await sees(taskId)).toBe(taskId)
    expect(await sees(other)).toBe(null)
    try {
      api.chain.now = START + 86_399n
      expect(await sees(taskId)).toBe(taskId)
      api.chain.now = START + 86_400n
      expect(await sees(taskId)).toBe(null)
    } finally {
      api.chain.now = START
    }
  })

  test('given a new password, or another secret of the service, then its grants are invalid', async () => {
    const taskId = await aPrivateTask({ passwordHash })
    const headers = { [GRANT]: (await verify(taskId, PASSWORD)).body.grant }
    const config = { ...api.deps.config, URL_SIGNING_SECRET: 'another secret, which is long enough' }
    const other = await createApp({ ...api.deps, config }).request(`/api/tasks/${taskId}`, { headers })
    expect(await other.json()).toBe(null)
    expect((await api.get(`/api/tasks/${taskId}`, headers)).body.id).toBe(taskId)
    // The same password, with another salt.
    const renewed = await createPasswordHasher(fastScrypt).hash(PASSWORD)
    await api.sql`update service.task_access set password_hash = ${renewed}
      where content_hash = (select content_hash from task where id = ${taskId})`
    expect((await api.get(`/api/tasks/${taskId}`, headers)).body).toBe(null)
    await api.sql`update service.task_access set password_hash = null
      where content_hash = (select content_hash from task where id = ${taskId})`
    expect((await api.get(`/api/tasks/${taskId}`, headers)).body).toBe(null)
  })

  test('given a wrong one, an unknown task, one without a password and one that is not private, then one answer', async () => {
    const answers = [
      await verify(await aPrivateTask({ passwordHash }), 'open, barley'),
      await verify(aHash(), PASSWORD),
      await verify(await aPrivateTask({ viewers: [alice.address] }), PASSWORD),
      await verify((await api.seed.task({ requester: requester.address })).id, PASSWORD),
      await verify((await api.seed.task({ requester: requester.address }, null)).id, PASSWORD),
      await verify(await aPrivateTask({ passwordHash }), 'x'),
      await verify(await aPrivateTask({ passwordHash }), ''),
      await verify(await aPrivateTask({ passwordHash }), 'x'.repeat(201)),
      await verify(await aPrivateTask({ passwordHash }), `${PASSWORD}${'x'.repeat(500_000)}`),
      await verify(await aPrivateTask({ passwordHash }), 'a\ud800\0'),
    ]
    const texts = answers.map(({ status, body, headers }) =>
      JSON.stringify([status, body, [...headers.keys()].filter((name) => name !== 'x-request-id')]),
    )
    expect(new Set(texts).size).toBe(1)
    expect(answers[0]).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED', service: { reason: 'unclassified' } },
    })
  })

  test('given any of these, then the work of the check is the same', async () => {
    const { scrypt, costs } = countedScrypt()
    const app = createApp({ ...api.deps, passwords: createPasswordHasher(scrypt) })
    const tasks = [
      await aPrivateTask({ passwordHash }),
      await aPrivateTask(),
      aHash(),
      (await api.seed.task({ requester: requester.address })).id,
    ]
    for (const password of [PASSWORD, 'open, barley']) {
      for (const taskId of tasks) {
        costs.length = 0
        const init = {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ password }),
        }
        await app.request(`/api/tasks/${taskId}/private-access/verify`, init)
        expect(costs).toEqual([{ logN: 15, r: 8, p: 3 }])
      }
    }
  })

  test.each([
    ['another task in the body', { taskId: aHash(), password: PASSWORD }, 'taskId'],
    ['no password', {}, 'password'],
    ['a list', { password: [PASSWORD] }, 'password'],
  ])('given %s, then 400 names the field and quotes nothing', async (_name, body, path) => {
    const taskId = await aPrivateTask({ passwordHash })
    const answer = await api.post(`/api/tasks/${taskId}/private-access/verify`, body)
    expect({ status: answer.status, path: answer.body.issues[0].path }).toEqual({ status: 400, path })
    expect(JSON.stringify(answer.body)).not.toContain(PASSWORD)
  })

  test('given more checks than the limit, then 503 with a time to retry; waiting ones are answered', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const passwords = createPasswordHasher((password, salt, cost) => held.then(() => fastScrypt(password, salt, cost)))
    const app = createApp({ ...api.deps, passwords })
    const taskId = await aPrivateTask({ passwordHash })
    // Two in progress and thirty-two waiting are the maximum.
    const waiting = Array.from({ length: 34 }, () => passwords.matches(PASSWORD, passwordHash))
    const ask = async () =>
      await app.request(`/api/tasks/${taskId}/private-access/verify`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ password: PASSWORD }),
      })
    const refused = await ask()
    expect({ status: refused.status, retryAfter: refused.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '2',
    })
    release()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]))
    expect((await ask()).status).toBe(200)
  })
})

describe('the limit of attempts', () => {
  let strict: TestApi
  beforeAll(async () => {
    strict = await startTestApi({
      ACCESS_TRIES_PER_HOUR: '20',
      TASK_ACCESS_TRIES_PER_HOUR: '10',
      TRUSTED_PROXIES: '127.0.0.1,::1',
    })
  })
  afterAll(() => strict.stop())

  const tryFrom = async (client: string, taskId: Hex, { password = 'wrong', app = strict.app } = {}) => {
    const { status, headers } = await app.request(
      `/api/tasks/${taskId}/private-access/verify`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
        body: JSON.stringify({ password }),
      },
      { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
    )
    return { status, retryAfter: headers.get('retry-after') }
  }

  test('given ten on a task, from any clients at two processes, then the right password has to wait too; also for an unknown task', async () => {
    const other = createApp(strict.deps)
    for (const taskId of [await aPrivateTask({ passwordHash }, strict), aHash()]) {
      for (let count = 0; count < 10; count += 1) {
        const app = count % 2 === 0 ? strict.app : other
        expect((await tryFrom(`10.1.${count}.1`, taskId, { app })).status).toBe(401)
      }
      const { status, retryAfter } = await tryFrom('10.2.0.1', taskId, { password: PASSWORD })
      expect(status).toBe(429)
      expect(Number(retryAfter)).toBeGreaterThan(3500)
    }
  })

  test('given twenty of one client, then it has to wait, for any task, and uses up no other client’s attempts', async () => {
    for (let count = 0; count < 20; count += 1) expect((await tryFrom('10.3.0.1', aHash())).status).toBe(401)
    const taskId = await aPrivateTask({ passwordHash }, strict)
    for (let count = 0; count < 12; count += 1) {
      expect((await tryFrom('10.3.0.1', taskId, { password: PASSWORD })).status).toBe(429)
    }
    expect((await tryFrom('10.4.0.1', taskId, { password: PASSWORD })).status).toBe(200)
  })
})
