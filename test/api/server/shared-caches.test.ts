import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../../api/server/routes.ts'
import { anActor } from '../../support/actors.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Routes whose answers hold for one state of the rows, and how shared caches may keep them: they are the same for all callers. */
const ofHead = ['listTasks', 'listLeaderboard', 'getAgentCount', 'getSqlSchema']
/** Days that are over change with a deployment alone. */
const ofDays = ['getDailyStats']
const shared = [...ofHead, ...ofDays]
/** Immutable documents, named by their hash. */
const immutable = ['getLegalDocument']

const wallet = anActor().address
const reads = routes.filter(({ method }) => method === 'get')
let taskId: string

const api = aStartedApi()
beforeAll(async () => {
  taskId = (await api.seed.task({ requester: wallet })).id
})

function pathOf({ path, root }: (typeof reads)[number]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'taskId') return taskId
    return name.toLowerCase().includes('address') ? wallet : '1'
  })
  return root ? filled : `/api${filled}`
}

test('the routes for shared caches are those whose answers are kept', () => {
  expect(
    reads
      .flatMap(({ operationId, caching = 'revalidate' }) => (caching === 'revalidate' ? [] : [operationId]))
      .toSorted(),
  ).toEqual(ofHead.toSorted())
})

test.each(reads.map((route) => [route.operationId, route] as const))('%s', async (operationId, route) => {
  const { status, headers } = await api.get(pathOf(route))
  const cacheControl = headers.get('cache-control') ?? ''
  if (immutable.includes(operationId) && status === 200) return
  if (ofHead.includes(operationId)) expect([status, cacheControl]).toEqual([200, 'public, max-age=0, s-maxage=1'])
  else if (ofDays.includes(operationId)) expect([status, cacheControl]).toEqual([200, 'public, max-age=60'])
  else expect([status, cacheControl]).toEqual([status, expect.stringMatching(/\bprivate\b|^no-store$/)])
  if (status >= 400) expect(cacheControl).toMatch(/^(private, )?no-store$/)
})

test.each(shared)('%s is the same for every caller, and has nothing of its request', async (operationId) => {
  const route = reads.find((each) => each.operationId === operationId) ?? expect.fail(operationId)
  const path = pathOf(route)
  const anonymous = await api.get(path)
  const credentials: [string, Record<string, string>][] = [
    [path, { Authorization: 'Bearer token' }],
    [path, { 'PAYMENT-SIGNATURE': 'e30=' }],
    [path, { Cookie: 'session=1' }],
    [`${path}?deviceId=00000000-0000-4000-8000-000000000000&apiToken=secret`, {}],
  ]
  for (const [url, headers] of credentials) {
    const answer = await api.get(url, headers)
    expect([answer.status, answer.body]).toEqual([200, anonymous.body])
  }
  const { headers } = await api.get(path, { 'X-Request-Id': 'mine', Origin: 'https://mine.example' })
  expect(headers.get('cache-control')).toMatch(/^public/)
  for (const name of ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'])
    expect([name, headers.get(name)]).toEqual([name, null])
  expect(JSON.stringify([...headers])).not.toContain('mine')
})

test.each([
  ['names that were ignored', '/api/tasks?statuz=open', {}],
  ['a credential in the query of a route without one', '/api/agents/count?apiToken=secret', {}],
  ['a preference that was applied', '/api/tasks?status=open', { Prefer: 'handling=strict' }],
])('an answer with %s is for its client alone', async (_, path, sent) => {
  const { status, headers } = await api.get(path, sent)
  expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
})

test.each([
  ['an unknown route', '/api/nothing', 404],
  ['wrong input on a shared route', '/api/tasks?limit=0', 400],
  ['days in the wrong order on a shared route', '/api/stats/daily?since=2030-02-01&until=2030-01-01', 400],
  ['a page beyond the last', '/api/agents/leaderboard?offset=-1', 400],
])('%s is kept by no cache', async (_, path, status) => {
  const { headers, ...answer } = await api.get(path)
  expect([answer.status, headers.get('cache-control')]).toEqual([status, 'no-store'])
})

test('neither is the answer of a procedure, of tools, or of a write', async () => {
  for (const [path, body] of [
    ['/api/tasks', {}],
    ['/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }],
  ] as const) {
    const { status, headers } = await api.post(path, body, { Accept: 'application/json, text/event-stream' })
    expect([status, headers.get('cache-control')]).toEqual([status, expect.stringMatching(/no-store|private|no-cache/)])
  }
})
