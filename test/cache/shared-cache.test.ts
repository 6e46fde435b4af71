import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../api/chain/chain.ts'
import { type RouteContract, readsCredential } from '../../api/features/define-route.ts'
import { fullPath } from '../../api/server/router.ts'
import { routes } from '../../api/server/routes.ts'
import { publishedDocument } from '../support/fuzz/published-document.ts'
import { type Answer, type CacheEnvironment, type CallerName, callers, startCacheEnvironment } from './environment.ts'

/** Operations whose answers a cache may keep: for a second, and for good. */
const kept = ['listTasks', 'listLeaderboard', 'getAgentCount', 'getLegalDocument', 'getSqlSchema', 'getDailyStats']
/** Operations that a read identity without an end opens nothing of: the same bytes are good for ever. */
const needEnd = ['listWebhooks', 'listWebhookDeliveries']
/** Answers with the time of the host or of a measurement, and answers of a query that is run anew: each one is another. */
const neverTheSame = ['getHealth', 'getNetwork', 'getSqlCsv']
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

const reads = routes.filter(({ method }) => method === 'get')
const document = publishedDocument()

let environment: CacheEnvironment
beforeAll(async () => {
  environment = await startCacheEnvironment()
})
afterAll(() => environment?.stop())

type Answers = Record<CallerName, Answer>

/** Without the host's clock, which two answers of the health do not share. */
const toValue = ({ status, text }: Answer) => [status, text.replaceAll(/"(timestamp|measuredAt)":"[^"]*"/g, '"$1":""')]
const toText = (answer: Answer) => JSON.stringify(toValue(answer))

/** What the service itself answers to each caller. One after the other: analysts' queries of an address wait. */
async function directAnswers(path: string): Promise<Answers> {
  const answers = {} as Answers
  for (const caller of callers)
    answers[caller] = await environment.askService(path, { headers: environment.headersOf(caller, path) })
  return answers
}

/**
 * Asks the cache as one caller of each answer that there is, then as the stranger, then as a reader: an answer that is kept for
 * one of them reaches the next. Each gets the answer that the service has for them.
 */
async function expectOwnAnswers(path: string, direct: Answers): Promise<Set<string | null>> {
  const firsts = new Map(callers.toReversed().map((caller) => [toText(direct[caller]), caller]))
  const statuses = new Set<string | null>()
  for (const caller of [...firsts.values(), 'stranger', 'reader'] as const) {
    const answer = await environment.ask(path, { headers: environment.headersOf(caller, path) })
    expect([caller, toValue(answer)]).toEqual([caller, toValue(direct[caller])])
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
  const published = Object.values(document.paths).flatMap(({ get }) => get?.operationId ?? [])
  expect(published.toSorted()).toEqual(Object.keys(environment.paths).toSorted())
})

describe('every route', () => {
  test.each(reads.map((route) => [route.operationId, route] as const))('%s', async (operationId, route) => {
    const path = environment.pathOf(operationId)
    const direct = await directAnswers(path)
    expectDifferences(route, direct)
    await expectConditions(path, route, direct)
    const statuses = await expectOwnAnswers(path, direct)
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
function expectDifferences(route: RouteContract, direct: Answers): void {
  const of = (caller: CallerName) => toText(direct[caller])
  const differs = (...names: CallerName[]) => names.some((name) => of(name) !== of('stranger'))
  expect(callers.some((caller) => direct[caller].status === 200)).toBe(true)
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

/** Headers that a 304 repeats (RFC 9110, "304 Not Modified"). */
const repeated = (headers: Headers) =>
  Object.fromEntries(['etag', 'cache-control', 'vary'].map((name) => [name, headers.get(name)]))

/** The `Cache-Control` that the document has for a GET. */
function documentedCacheControl(path: string): unknown {
  const operation = document.paths[path]?.get as unknown as {
    responses: Record<string, { headers?: Record<string, { schema?: { const?: string } }> }>
  }
  return operation.responses[200]?.headers?.['Cache-Control']?.schema?.const
}

/** From the service itself: who has an answer gets 304 with the headers of the document, and no tag opens what is not for its caller. */
async function expectConditions(path: string, route: RouteContract, direct: Answers): Promise<void> {
  const caller = callers.find((name) => direct[name].status === 200) ?? expect.fail(`${path} answers none`)
  const first = direct[caller]
  const ask = (name: CallerName, tag: string | null, method = 'GET') => {
    const condition = tag === null ? {} : { 'If-None-Match': tag }
    return environment.askService(path, { method, headers: { ...environment.headersOf(name, path), ...condition } })
  }
  const tag = first.headers.get('etag') ?? ''
  expect(tag).toMatch(/^(W\/)?"[\x21\x23-\x7e]+"$/)
  expect(first.headers.get('cache-control')).toBe(documentedCacheControl(fullPath(route)))
  expect(first.headers.has('ratelimit')).toBe(!first.headers.get('cache-control')?.startsWith('public'))
  expect(first.headers.has('ratelimit-policy')).toBe(first.headers.has('ratelimit'))
  const head = await ask(caller, null, 'HEAD')
  expect([head.status, head.text]).toEqual([200, ''])
  if (neverTheSame.includes(route.operationId)) return
  expect(repeated(head.headers)).toEqual(repeated(first.headers))
  const other = await ask(caller, '"other"')
  expect([other.status, other.text]).toEqual([200, first.text])
  for (const method of ['GET', 'HEAD']) {
    const again = await ask(caller, tag, method)
    expect([method, again.status, again.text]).toEqual([method, 304, ''])
    expect(repeated(again.headers)).toEqual(repeated(first.headers))
    expect(again.headers.has('ratelimit')).toBe(first.headers.has('ratelimit'))
  }
  // One caller of each answer sends the tag of each.
  const answered = callers.map((name) => ({
    name,
    status: direct[name].status,
    own: direct[name].headers.get('etag'),
  }))
  const asked = [...new Map(answered.map((each) => [`${each.status} ${each.own}`, each])).values()]
  for (const { own: sent } of asked.filter(({ status }) => status === 200)) {
    for (const { name, status, own } of asked) {
      // Without the condition they are told the same: then, and then alone, they may be told that it is the same.
      const expected = status === 200 && own === sent ? 304 : status
      expect([name, (await ask(name, sent)).status]).toEqual([name, expected])
    }
  }
}

describe('an error', () => {
  test.each([
    ['an unknown route', '/nothing', 404],
    ['wrong input on a route that is kept', '/api/tasks?limit=0', 400],
    ['an unknown submission', `/api/tasks/0x${'0'.repeat(64)}/submissions`, 404],
    ['no credential', '/api/bids/my', 401],
    ['an unknown procedure', '/trpc/nothing', 404],
    ['a method of the tools', '/mcp', 405],
    ['the metrics', '/metrics', 404],
    ['a file that is none', '/docs/api/nothing.js', 404],
  ])('of %s is not kept, and no answer that a client may have', async (_, path, status) => {
    for (const sent of ['none', '*', '"tag"']) {
      const answer = await environment.ask(path, sent === 'none' ? {} : { headers: { 'If-None-Match': sent } })
      expect([answer.status, answer.cache]).toEqual([status, 'MISS'])
    }
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

test('given an answer that is kept, when its second is over, then it is compared by its entity tag', async () => {
  const path = '/api/agents/count'
  await environment.ask(path)
  await expect.poll(async () => (await environment.ask(path)).cache).toBe('REVALIDATED')
})

test.each(discovery)('%s is kept, and known by its tag', async (path) => {
  await expectKept(path)
  const first = await environment.askService(path)
  const again = await environment.askService(path, {
    headers: { 'If-None-Match': first.headers.get('etag') ?? 'none' },
  })
  expect([again.status, again.text, repeated(again.headers)]).toEqual([304, '', repeated(first.headers)])
})

test.each(['/', '/ready'])('%s is not kept', async (path) => {
  for (const _ of [1, 2]) expect((await environment.ask(path)).cache).toBe('MISS')
})
