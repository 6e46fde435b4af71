import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../api/chain/chain.ts'
import { type RouteContract, readsCredential } from '../../api/features/define-route.ts'
import { fullPath } from '../../api/server/router.ts'
import { queries, routes } from '../../api/server/routes.ts'
import { publishedDocument } from '../support/fuzz/published-document.ts'
import { testConditionalRequests } from './conditional-requests.ts'
import {
  type Answer,
  type CacheEnvironment,
  type CallerName,
  callers,
  INTENT_READS,
  startCacheEnvironment,
} from './environment.ts'
import { HEEDLESS } from './start-cache.ts'

/** Operations whose answers a cache may keep: for a second, and for good. */
const kept = ['listTasks', 'listLeaderboard', 'getAgentCount', 'getLegalDocument', 'getSqlSchema', 'getDailyStats']
/** Operations that a read identity without an end opens nothing of: the same bytes are good for ever. */
const needEnd = ['listWebhooks', 'listWebhookDeliveries']
/** What the service says of itself. */
const discovery = [
  '/openapi.json',
  '/docs/api',
  '/docs/api/start.js',
  '/llms.txt',
  '/skill.md',
  '/server.json',
  '/.well-known/x402',
  '/.well-known/agent-registration.json',
]
/** Expectation for a procedure, whose answers get the headers that every answer without a cache time has. */
const procedureOrder: readonly CallerName[] = ['reader', 'stranger', 'reader']

const reads = routes.filter(({ method }) => method === 'get')
const document = publishedDocument()
const published = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { operationId = '' }]) => ({ operationId, method, path })),
)

let environment: CacheEnvironment
beforeAll(async () => {
  environment = await startCacheEnvironment()
})
afterAll(() => environment?.stop())

/** Without the host's clock, which two answers of the health do not share. */
const toValue = ({ status, text }: Answer) => [status, text.replaceAll(/"(timestamp|measuredAt)":"[^"]*"/g, '"$1":""')]

const asked = (caller: CallerName, path: string) => ({ headers: environment.headersOf(caller, path) })

/** What the service itself answers to each caller. One after the other: analysts' queries of an address wait. */
async function directAnswers(
  path: string,
  names: readonly CallerName[] = callers,
): Promise<Record<CallerName, unknown>> {
  const answers: [CallerName, unknown][] = []
  for (const caller of new Set(names)) {
    answers.push([caller, toValue(await environment.askService(path, asked(caller, path)))])
  }
  return Object.fromEntries(answers) as Record<CallerName, unknown>
}

/**
 * One caller of each answer that there is, then the stranger, then a reader: an answer that is kept for one of them reaches the
 * next.
 */
function orderOf(direct: Record<CallerName, unknown>): CallerName[] {
  const firsts = new Map(callers.toReversed().map((caller) => [JSON.stringify(direct[caller]), caller]))
  return [...firsts.values(), 'stranger', 'reader']
}

/** Asks the cache as each caller in turn: each gets the answer that the service has for them. */
async function expectOwnAnswers(
  path: string,
  direct: Record<CallerName, unknown>,
  names: readonly CallerName[],
): Promise<Set<string | null>> {
  const statuses = new Set<string | null>()
  for (const caller of names) {
    const answer = await environment.ask(path, asked(caller, path))
    expect([caller, toValue(answer)]).toEqual([caller, direct[caller]])
    statuses.add(answer.cache)
  }
  return statuses
}

/** The second of two requests is answered from the cache, unless the answer's second ended between them. */
async function expectKept(path: string): Promise<void> {
  const askTwice = async () => {
    await environment.ask(path)
    return (await environment.ask(path)).cache
  }
  await expect.poll(askTwice).toBe('HIT')
}

test('a URL is known for every GET of the document', () => {
  const known = Object.keys(environment.paths).toSorted()
  expect(
    published
      .filter(({ method }) => method === 'get')
      .map(({ operationId }) => operationId)
      .toSorted(),
  ).toEqual(known)
  expect(reads.map(({ operationId }) => operationId).toSorted()).toEqual(known)
})

describe('every route', () => {
  test.each(reads.map((route) => [route.operationId, route] as const))('%s', async (operationId, route) => {
    const path = environment.pathOf(operationId)
    const direct = await directAnswers(path)
    expectDifferences(route, direct)
    const statuses = await expectOwnAnswers(path, direct, orderOf(direct))
    if (kept.includes(operationId)) await expectKept(path)
    else expect([...statuses]).toEqual(['MISS'])
  })

  test.each(kept)('%s, with credentials in the query', async (operationId) => {
    const path = environment.pathOf(operationId)
    const secret = `${path}${path.includes('?') ? '&' : '?'}${environment.deviceQuery}&receipt=secret&grant=secret`
    for (const _ of [1, 2]) expect((await environment.ask(secret)).cache).toBe('MISS')
  })
})

/** The test of a route that answers its callers differently proves something only if it does so here. */
function expectDifferences(route: RouteContract, direct: Record<CallerName, unknown>): void {
  const of = (caller: CallerName) => JSON.stringify(direct[caller])
  const differs = (...names: CallerName[]) => names.some((name) => of(name) !== of('stranger'))
  expect(callers.some((caller) => (direct[caller] as number[])[0] === 200)).toBe(true)
  expect({
    caller: differs('expiring reader'),
    grant: differs('guest'),
    device: differs('device'),
    header: differs('payer', 'accepter'),
  }).toEqual({
    caller: readsCredential(route, 'identity'),
    grant: readsCredential(route, 'grant'),
    device: readsCredential(route, 'device'),
    header: route.headers !== undefined,
  })
  expect(of('reader')).toBe(of(needEnd.includes(route.operationId) ? 'stranger' : 'expiring reader'))
}

describe('every query as a procedure', () => {
  test.each(Object.entries(queries).filter(([, { method }]) => method === 'get'))('%s', async (name, route) => {
    const input = encodeURIComponent(JSON.stringify(inputOf(route)))
    const path = `/trpc/${name}?input=${input}`
    const direct = await directAnswers(path, procedureOrder)
    expect([...(await expectOwnAnswers(path, direct, procedureOrder))]).toEqual(['MISS'])
    const batch = `/trpc/${name}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: inputOf(route) }))}`
    expect((await environment.ask(batch, asked('reader', batch))).cache).toBe('MISS')
  })
})

/** The values of a route's URL, as one object. */
function inputOf(route: RouteContract): Record<string, string> {
  const { pathname, searchParams } = new URL(environment.pathOf(route.operationId), 'http://service')
  const names = [...fullPath(route).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const template = fullPath(route).replaceAll(/\{\w+\}/g, '([^/]+)')
  const values = new RegExp(`^${template}$`).exec(pathname)?.slice(1) ?? []
  return {
    ...Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])),
    ...Object.fromEntries(searchParams),
  }
}

test.each(published.filter(({ method }) => method === 'post'))('POST of $operationId', async ({ path }) => {
  const url = path.replaceAll(/\{\w+\}/g, '1')
  for (const caller of ['reader', 'stranger'] as const) {
    const headers = { 'Content-Type': 'application/json', ...environment.headersOf(caller, url) }
    const { status, cache } = await environment.ask(url, { method: 'POST', headers, body: '{}' })
    expect([status, cache]).toEqual([status, 'MISS'])
  }
})

describe('an error', () => {
  test.each([
    ['an unknown route', '/api/nothing', 404],
    ['an unknown route of the root', '/nothing', 404],
    ['wrong input on a route that is kept', '/api/tasks?limit=0', 400],
    ['a page beyond the last', '/api/agents/leaderboard?offset=-1', 400],
    ['a document that was never published', `/api/legal/documents/${'0'.repeat(64)}`, 404],
    ['an unknown submission', `/api/tasks/0x${'0'.repeat(64)}/submissions`, 404],
    ['no credential', '/api/bids/my', 401],
    ['an unknown procedure', '/trpc/nothing', 404],
    ['a method of the tools', '/mcp', 405],
    ['the metrics', '/metrics', 404],
    ['a file that is none', '/docs/api/nothing.js', 404],
  ])('of %s is not kept', async (_, path, status) => {
    for (const _again of [1, 2, 3]) {
      const answer = await environment.ask(path)
      expect([answer.status, answer.cache]).toEqual([status, 'MISS'])
    }
  })

  test('of a limit is not kept: the next client is answered', async () => {
    const path = `/api/intents?intentId=${crypto.randomUUID()}`
    const askFrom = (client: string) => environment.ask(path, { headers: { 'X-Forwarded-For': client } })
    for (let count = 0; count < INTENT_READS; count += 1) expect((await askFrom('203.0.113.9')).status).toBe(404)
    const refused = await askFrom('203.0.113.9')
    expect([refused.status, refused.cache]).toEqual([429, 'MISS'])
    expect((await askFrom('203.0.113.10')).status).toBe(404)
  })

  test('of a node that is down is not kept: the same URL is answered when it is back', async () => {
    const { chain } = environment.api
    const { head } = chain
    const path = '/api/tasks?limit=7'
    chain.head = async () => {
      throw new ChainUnavailable('down')
    }
    try {
      const { status, cache } = await environment.ask(path)
      expect([status, cache]).toEqual([503, 'MISS'])
    } finally {
      chain.head = head
    }
    const { status, cache } = await environment.ask(path)
    expect([status, cache]).toEqual([200, 'MISS'])
  })
})

describe('a kept answer', () => {
  test('is compared by its entity tag once its second is over', async () => {
    const path = '/api/agents/count'
    await environment.ask(path)
    await expect.poll(async () => (await environment.ask(path)).cache).toBe('REVALIDATED')
  })

  test.each(kept)('of %s has nothing of the request that it was made for', async (operationId) => {
    const path = environment.pathOf(operationId)
    const mark = 'a-mark-of-one-caller'
    const askFirst = async () => {
      // Of the key of the cache: no earlier request has filled it.
      const encoding = { 'Accept-Encoding': `gzip, ${crypto.randomUUID()}` }
      await environment.ask(path, {
        headers: { ...encoding, 'X-Request-Id': mark, Origin: `https://${mark}.example` },
      })
      return await environment.ask(path, { headers: encoding })
    }
    const describeKept = async () => {
      const { cache, headers } = await askFirst()
      const names = ['x-request-id', 'ratelimit', 'ratelimit-policy'].filter((name) => headers.has(name))
      return { cache, isMarked: JSON.stringify([...headers]).includes(mark), names }
    }
    await expect.poll(describeKept).toEqual({ cache: 'HIT', isMarked: false, names: [] })
  })

  test('has no names of another request, and a strict client is still refused', async () => {
    const path = '/api/tasks?statuz=open'
    const lenient = await environment.ask(path)
    expect([lenient.status, lenient.headers.get('x-service-ignored'), lenient.cache]).toEqual([200, 'statuz', 'MISS'])
    const strict = await environment.ask(path, { headers: { Prefer: 'handling=strict' } })
    expect([strict.status, strict.cache]).toEqual([400, 'MISS'])
    const known = '/api/tasks?limit=9'
    const applied = await environment.ask(known, { headers: { Prefer: 'handling=strict' } })
    expect([applied.status, applied.headers.get('preference-applied')]).toEqual([200, 'handling=strict'])
    const next = await environment.ask(known)
    expect([next.status, next.headers.has('preference-applied')]).toEqual([200, false])
  })

  test('is compressed for those alone who ask for it', async () => {
    const path = environment.pathOf('listTasks')
    const plain = { headers: { 'Accept-Encoding': 'identity' } }
    for (const _ of [1, 2]) {
      expect((await environment.ask(path)).headers.get('content-encoding')).toBe('gzip')
      expect((await environment.ask(path, plain)).headers.has('content-encoding')).toBe(false)
    }
  })
})

test.each(discovery)('%s is kept', expectKept)

test.each(['/', '/ready'])('%s is not kept', async (path) => {
  for (const _ of [1, 2]) expect((await environment.ask(path)).cache).toBe('MISS')
})

test('given a cache that does not read Cache-Control, then it serves what is private to strangers', async () => {
  const path = environment.pathOf('getTask')
  const own = await environment.ask(HEEDLESS + path, asked('reader', path))
  const stranger = await environment.ask(HEEDLESS + path)
  expect([stranger.cache, stranger.text]).toEqual(['HIT', own.text])
  expect(stranger.text).not.toBe((await environment.ask(path)).text)
})

testConditionalRequests(() => environment)
