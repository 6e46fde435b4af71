import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Deps } from '../../../api/deps.ts'
import { watchRowChanges } from '../../../api/read-model/row-changes.ts'
import { createApp } from '../../../api/server/app.ts'
import { createHttpServer, finishedRequests } from '../../../api/server/http-server.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { START } from '../../support/rows/insert-row.ts'
import { createLogRows } from '../events/log-rows.ts'

const PAGE = '/api/tasks?limit=5'
const QUOTA = 4
const servers: Server[] = []
let api: TestApi
let task: string
let clients = 0

beforeAll(async () => {
  api = await startTestApi({ TRUSTED_PROXIES: '127.0.0.1', READS_PER_MINUTE: String(QUOTA) })
  const requester = anActor().address
  const { id } = await api.seed.task({ requester, expiryTime: START + 60n })
  task = `/api/tasks/${id}`
  const log = createLogRows(api, { taskId: id, subject: requester })
  await log.append(1)
  await api.deps.indexedHead.refresh()
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await api.stop()
})

/** The service behind its own server, whose moments do not end by themselves. */
async function open(overrides: Partial<Deps> = {}) {
  const app = createApp({ ...api.deps, rowChanges: watchRowChanges(api.sql, () => 0), ...overrides })
  const server = createHttpServer(app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 60_000 })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  /** Sends a GET of a client of its own, unless it names one. */
  const send = (path: string, { host = 'x.test', ...headers }: Record<string, string> = {}) => {
    clients += 1
    const sent = { 'X-Forwarded-For': `192.0.2.${clients}`, ...headers }
    const socket = connect(port, '127.0.0.1')
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.join('')}\r\n`)
    return socket
  }
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const [head = ''] = Buffer.concat(await send(path, headers).toArray())
      .toString()
      .split('\r\n\r\n')
    const [status = '', ...lines] = head.split('\r\n')
    const entries = lines.map((line) => line.split(/: (.*)/) as [string, string])
    return { status: Number(status.split(' ')[1]), headers: new Headers(entries.map(([name, value]) => [name, value])) }
  }
  return { server, asked: vi.spyOn(app, 'fetch'), send, get }
}

/** Parts of an answer that are the same for each request. */
function shownOf({ status, headers }: { status: number; headers: Headers }) {
  return [status, [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')]
}

/** Reads that wait at a gate, once it is shut. */
function gatedReads() {
  const gate = new EventEmitter()
  let isShut = false
  const read: Deps['publicReads']['read'] = async (work) => {
    gate.emit('wait')
    if (isShut) await once(gate, 'open')
    return await api.deps.publicReads.read(work)
  }
  return {
    publicReads: { ...api.deps.publicReads, read },
    /** @returns the first read that waits, and what lets all go */
    shut: () => {
      isShut = true
      const release = () => {
        isShut = false
        gate.emit('open')
      }
      return { waits: once(gate, 'wait'), release }
    },
  }
}

test.each(['a@b', 'a b', 'a:99999', 'x.test/api'])(
  'given no host but %s, then a known answer is refused',
  async (host) => {
    const { get, asked } = await open()
    for (const path of [PAGE, task]) {
      const known = { 'If-None-Match': '*' }
      for (const status of [304, 304]) expect((await get(path, known)).status).toBe(status)
      asked.mockClear()
      expect((await get(path, known)).status).toBe(304)
      expect(asked).not.toHaveBeenCalled()
      const asWhole = host.endsWith('/api') ? path.replace('/api', '') : path
      expect((await get(asWhole, { ...known, host })).status).toBe(400)
    }
  },
)

test('given a head that became old, then each known answer says how old it is', async () => {
  const { get } = await open()
  const known = { 'If-None-Match': '*' }
  const ageOf = async (path: string, headers = {}) => (await get(path, headers)).headers.get('x-service-head-age')
  for (const path of [PAGE, task]) {
    for (const age of [null, null]) expect(await ageOf(path, known)).toBe(age)
    api.chain.current = START + 60n
    const ages = [await ageOf(path, known), await ageOf(path)]
    delete api.chain.current
    expect(ages).toEqual([expect.stringMatching(/^\d+$/), ages[0]])
  }
})

test('given a network that used up its reads, then a client of it is counted once', async () => {
  const { get } = await open()
  const known = { 'If-None-Match': '*' }
  const readsOf = async (client: number) => {
    const { status, headers } = await get(task, { ...known, 'X-Forwarded-For': `2001:db8:1:${client}::1` })
    return [status, headers.get('ratelimit')?.replace(/;t=.*/, '')]
  }
  expect(await readsOf(1)).toEqual([304, '"reads";r=3'])
  // All but one of the eight quotas that a network has.
  for (let read = 1; read < 8 * QUOTA; read += 1) await readsOf(2 + Math.floor(read / QUOTA))
  expect(await readsOf(1)).toEqual([429, '"reads";r=2'])
})

test('given the last read of a network, then those who come together are counted once each', async () => {
  const { server, get } = await open()
  const pathAsked = `${PAGE}&utm=1`
  await get(pathAsked)
  const headersOf = (client: number) => ({ 'X-Forwarded-For': `2001:db8:2:${client}::1` })
  for (let read = 0; read < 8 * QUOTA - 1; read += 1) await get(pathAsked, headersOf(2 + Math.floor(read / QUOTA)))
  const requests = [20, 21].map(
    (client) =>
      `GET ${pathAsked} HTTP/1.1\r\nHost: x.test\r\nX-Forwarded-For: ${headersOf(client)['X-Forwarded-For']}\r\n` +
      `Connection: ${client === 20 ? 'keep-alive' : 'close'}\r\n\r\n`,
  )
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(requests.join(''))
  const answers = Buffer.concat(await socket.toArray()).toString()
  expect(answers.match(/(?<=HTTP\/1.1 )\d+|(?<="reads";r=)\d/g)).toEqual(['200', '3', '429', '3'])
})

test('given a database that refuses, then a page is asked for once', async () => {
  const asked = vi.fn<() => void>()
  let isRefusing = false
  const read: Deps['publicReads']['read'] = async (work) => {
    if (!isRefusing) return await api.deps.publicReads.read(work)
    asked()
    throw Object.assign(new Error('away'), { code: 'CONNECTION_CLOSED' })
  }
  const { get } = await open({ publicReads: { ...api.deps.publicReads, read } })
  await get(PAGE)
  isRefusing = true
  expect((await get(`${PAGE}&status=claimed`)).status).toBe(503)
  expect(asked).toHaveBeenCalledOnce()
})

test('given a client that left meanwhile, then its read is counted as its own', async () => {
  const { publicReads, shut } = gatedReads()
  const { server, send, get } = await open({ publicReads })
  const ofClient = { 'X-Forwarded-For': '198.51.100.7' }
  await get(PAGE)
  const { waits, release } = shut()
  const connected = once(server, 'connection')
  const socket = send(PAGE, ofClient)
  const [[peer]] = await Promise.all([connected, waits])
  socket.destroy()
  await once(peer, 'close')
  release()
  await finishedRequests(server)
  expect((await get(task, ofClient)).headers.get('ratelimit')).toContain(`r=${QUOTA - 2};`)
})

test('given a drain that begins meanwhile, then the app answers, which ends the connection', async () => {
  const { publicReads, shut } = gatedReads()
  let isDraining = false
  const readiness = { ...api.deps.observe.readiness, isDraining: () => isDraining }
  const head = api.deps.indexedHead.current()
  const current = vi.fn<Deps['indexedHead']['current']>(() => head)
  const indexedHead = { ...api.deps.indexedHead, current }
  const { get, asked } = await open({ publicReads, indexedHead, observe: { ...api.deps.observe, readiness } })
  await get(PAGE)
  const { waits, release } = shut()
  asked.mockClear()
  const answer = get(PAGE)
  await waits
  isDraining = true
  current.mockReturnValue(head && { ...head, blockNumber: head.blockNumber + 1n })
  release()
  const { status, headers } = await answer
  // The page may be older than the block that came meanwhile.
  expect([status, headers.get('x-service-block-number')]).toEqual([200, String(head?.blockNumber)])
  expect(asked).toHaveBeenCalledOnce()
})

test('given a change while a page is made, then its tag is not taken for the one of now', async () => {
  const { publicReads, shut } = gatedReads()
  const read = vi.spyOn(publicReads, 'read')
  let isDraining = false
  const readiness = { ...api.deps.observe.readiness, isDraining: () => isDraining }
  const rowChanges = watchRowChanges(api.sql, () => 0)
  const { get } = await open({ publicReads, rowChanges, observe: { ...api.deps.observe, readiness } })
  const known = { 'If-None-Match': '*' }
  await get(PAGE)
  const { waits, release } = shut()
  const answer = get(PAGE, known)
  await waits
  rowChanges.note()
  isDraining = true
  release()
  expect((await answer).status).toBe(304)
  isDraining = false
  read.mockClear()
  expect((await get(PAGE, known)).status).toBe(304)
  expect(read).toHaveBeenCalled()
})

test('counts the time in which a known answer was looked for', async () => {
  const { publicReads, shut } = gatedReads()
  const requestAnswered = vi.fn<Deps['observe']['metrics']['requestAnswered']>()
  const metrics = { ...api.deps.observe.metrics, requestAnswered }
  const { get, asked } = await open({ publicReads, observe: { ...api.deps.observe, metrics } })
  await get(PAGE)
  const { waits, release } = shut()
  asked.mockClear()
  const answer = get(PAGE)
  await waits
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  release()
  await answer
  clock.mockRestore()
  expect(asked).not.toHaveBeenCalled()
  expect(requestAnswered.mock.lastCall?.[0].seconds).toBeGreaterThanOrEqual(60)
})

test('sends a page that was never asked for, with the names that it ignored', async () => {
  const { get, asked } = await open()
  const paths = [`${PAGE}&status=open`, '/api/tasks?limit[]=3&sort=reward_desc', `${PAGE}&utm_source=x&q=words`]
  // The first answers of a route, with and without such names, are the app's.
  for (const path of [PAGE, `${PAGE}&utm=1`]) await get(path)
  asked.mockClear()
  for (const path of paths) {
    const sent = await get(path)
    const another = await open()
    expect(shownOf(sent)).toEqual(shownOf(await another.get(path)))
    expect(another.asked).toHaveBeenCalledOnce()
  }
  expect(asked).not.toHaveBeenCalled()
})

test('leaves a long URL to the app, which counts a request before it reads one', async () => {
  const { get, asked } = await open()
  for (const path of [PAGE, `${PAGE}&utm=1`]) await get(path)
  asked.mockClear()
  expect((await get(`${PAGE}${'&a'.repeat(500)}`)).status).toBe(200)
  expect(asked).toHaveBeenCalledOnce()
})

test('leaves a query that is refused to the app, and counts it once', async () => {
  const { get, asked } = await open()
  const ofClient = { 'X-Forwarded-For': '198.51.100.9' }
  await get(PAGE)
  asked.mockClear()
  const refused = await get('/api/tasks?limit=0', ofClient)
  expect([refused.status, refused.headers.get('ratelimit')]).toEqual([400, expect.stringContaining(`r=${QUOTA - 1};`)])
  expect(asked).toHaveBeenCalledOnce()
  expect((await get(task, ofClient)).headers.get('ratelimit')).toContain(`r=${QUOTA - 2};`)
})
