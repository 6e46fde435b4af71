import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fullPath } from '../../api/server/router.ts'
import { routes } from '../../api/server/routes.ts'
import { publishedDocument } from '../support/fuzz/published-document.ts'
import { type CacheEnvironment, callers, startCacheEnvironment } from './environment.ts'

const reads = routes.filter(({ method }) => method === 'get').map((route) => [route.operationId, route] as const)
/** Answers with the time of the host or of a measurement, and answers of a query that is run anew: each one is another. */
const neverTheSame = ['getHealth', 'getNetwork', 'getSqlCsv']
const document = publishedDocument()

let environment: CacheEnvironment
beforeAll(async () => {
  environment = await startCacheEnvironment()
})
afterAll(() => environment?.stop())

function pathOf(operationId: string): string {
  const path = environment.paths[operationId]
  if (path === undefined) throw new Error(`no URL is known for ${operationId}: add one to environment.ts`)
  return path
}

/** Asks the service itself, past the cache. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  environment.askService(path, { method, headers })

/** The first of the callers that the path is answered to. */
async function findAnswer(path: string) {
  for (const caller of callers) {
    const credentials = environment.headersOf(caller, path)
    const first = await ask(path, credentials)
    if (first.status === 200) return { credentials, first }
  }
  throw new Error(`${path} answers no caller`)
}

/** Headers that a 304 repeats (RFC 9110, "304 Not Modified"). */
const repeated = (headers: Headers) =>
  Object.fromEntries(['etag', 'cache-control', 'vary'].map((name) => [name, headers.get(name)]))

describe('every GET', () => {
  test.each(reads)('%s: a client that has the answer gets 304, with the headers as documented', async (id, route) => {
    const path = pathOf(id)
    const { credentials, first } = await findAnswer(path)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^(W\/)?"[\x21\x23-\x7e]+"$/)
    expect(first.headers.get('cache-control')).toBe(documentedCacheControl(fullPath(route)))
    expect(first.headers.has('ratelimit')).toBe(!first.headers.get('cache-control')?.startsWith('public'))
    expect(first.headers.has('ratelimit-policy')).toBe(first.headers.has('ratelimit'))
    if (neverTheSame.includes(id)) return
    for (const sent of [tag, `"other", ${tag}`, `W/${tag.replace(/^W\//, '')}`, '*']) {
      const again = await ask(path, { ...credentials, 'If-None-Match': sent })
      expect([sent, again.status, again.text]).toEqual([sent, 304, ''])
      expect(repeated(again.headers)).toEqual(repeated(first.headers))
      expect(again.headers.has('ratelimit')).toBe(first.headers.has('ratelimit'))
    }
    const other = await ask(path, { ...credentials, 'If-None-Match': '"other"' })
    expect([other.status, other.text]).toEqual([200, first.text])
  })

  test.each(reads)('%s: HEAD has the headers of GET, and no body', async (id) => {
    const path = pathOf(id)
    const { credentials, first: get } = await findAnswer(path)
    const head = await ask(path, credentials, 'HEAD')
    expect([head.status, head.text]).toEqual([get.status, ''])
    if (neverTheSame.includes(id)) return
    expect(repeated(head.headers)).toEqual(repeated(get.headers))
    const known = await ask(path, { ...credentials, 'If-None-Match': get.headers.get('etag') ?? '' }, 'HEAD')
    expect(known.status).toBe(304)
    expect(repeated(known.headers)).toEqual(repeated(get.headers))
  })

  test.each(reads)('%s: the tag of what another caller may see opens nothing', async (id) => {
    const path = pathOf(id)
    if (neverTheSame.includes(id)) return
    const own = new Map<string, { status: number; tag: string | null }>()
    for (const caller of callers) {
      const { status, headers } = await ask(path, environment.headersOf(caller, path))
      own.set(caller, { status, tag: headers.get('etag') })
    }
    const tags = [...own.values()].flatMap(({ status, tag }) => (status === 200 && tag !== null ? tag : []))
    for (const tag of new Set(tags)) {
      for (const [caller, { status, tag: ownTag }] of own) {
        const headers = environment.headersOf(caller as (typeof callers)[number], path)
        const answer = await ask(path, { ...headers, 'If-None-Match': tag })
        // Without the condition they are told the same: then, and then alone, they may be told that it is the same.
        expect([caller, answer.status]).toEqual([caller, status === 200 && ownTag === tag ? 304 : status])
      }
    }
  })
})

/** The `Cache-Control` that the document has for a GET. */
function documentedCacheControl(path: string): unknown {
  const operation = document.paths[path]?.get as unknown as {
    responses: Record<string, { headers?: Record<string, { schema?: { const?: string } }> }>
  }
  return operation.responses[200]?.headers?.['Cache-Control']?.schema?.const
}

describe('what the service says of itself', () => {
  test.each([
    '/',
    '/openapi.json',
    '/docs',
    '/docs/start.js',
    '/docs/swagger-ui.css',
    '/docs/errors',
    '/docs/errors/wrong_state',
    '/llms.txt',
    '/skill.md',
    '/server.json',
    '/.well-known/x402',
    '/.well-known/agent-registration.json',
  ])('%s', async (path) => {
    const first = await ask(path)
    expect(first.status).toBe(200)
    const again = await ask(path, { 'If-None-Match': first.headers.get('etag') ?? 'none' })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(repeated(again.headers)).toEqual(repeated(first.headers))
  })
})

test.each([
  ['an unknown route', '/api/nothing', 404],
  ['wrong input', '/api/tasks?limit=0', 400],
  ['a task that is not there', `/api/tasks/0x${'0'.repeat(64)}/submissions`, 404],
])('an error is no answer that a client may have: %s', async (_, path, status) => {
  for (const sent of ['*', '"tag"']) expect((await ask(path, { 'If-None-Match': sent })).status).toBe(status)
})
