import { describe, expect, test } from 'vitest'
import { fullPath } from '../../api/server/router.ts'
import { routes } from '../../api/server/routes.ts'
import { publishedDocument } from '../support/fuzz/published-document.ts'
import { type Answer, type CacheEnvironment, type CallerName, callers } from './environment.ts'

const reads = routes.filter(({ method }) => method === 'get').map((route) => [route.operationId, route] as const)
/** Answers with the time of the host or of a measurement, and answers of a query that is run anew: each one is another. */
const neverTheSame = ['getHealth', 'getNetwork', 'getSqlCsv']
const document = publishedDocument()

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

/** Requests with `If-None-Match` to the service itself, past the cache. */
export function testConditionalRequests(read: () => CacheEnvironment): void {
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    read().askService(path, { method, headers })

  describe('every GET', () => {
    test.each(reads)('%s: who has the answer gets 304, with the headers of the document', async (id, route) => {
      const path = read().pathOf(id)
      const answers = new Map<CallerName, Answer>()
      for (const caller of callers) answers.set(caller, await ask(path, read().headersOf(caller, path)))
      const [caller, first] =
        [...answers].find(([, { status }]) => status === 200) ?? expect.fail(`${path} answers none`)
      const credentials = read().headersOf(caller, path)
      const tag = first.headers.get('etag') ?? ''
      expect(tag).toMatch(/^(W\/)?"[\x21\x23-\x7e]+"$/)
      expect(first.headers.get('cache-control')).toBe(documentedCacheControl(fullPath(route)))
      expect(first.headers.has('ratelimit')).toBe(!first.headers.get('cache-control')?.startsWith('public'))
      expect(first.headers.has('ratelimit-policy')).toBe(first.headers.has('ratelimit'))
      const head = await ask(path, credentials, 'HEAD')
      expect([head.status, head.text]).toEqual([200, ''])
      if (neverTheSame.includes(id)) return
      expect(repeated(head.headers)).toEqual(repeated(first.headers))
      const other = await ask(path, { ...credentials, 'If-None-Match': '"other"' })
      expect([other.status, other.text]).toEqual([200, first.text])
      for (const method of ['GET', 'HEAD']) {
        const again = await ask(path, { ...credentials, 'If-None-Match': tag }, method)
        expect([method, again.status, again.text]).toEqual([method, 304, ''])
        expect(repeated(again.headers)).toEqual(repeated(first.headers))
        expect(again.headers.has('ratelimit')).toBe(first.headers.has('ratelimit'))
      }
      await expectNothingOpened(path, answers)
    })
  })

  /** The tag of what another caller may see opens nothing: one caller of each answer sends each tag. */
  async function expectNothingOpened(path: string, answers: ReadonlyMap<CallerName, Answer>): Promise<void> {
    const answered = [...answers].map(([caller, { status, headers }]) => ({ caller, status, tag: headers.get('etag') }))
    const asked = [...new Map(answered.map((each) => [`${each.status} ${each.tag}`, each])).values()]
    for (const { tag } of asked.filter(({ status }) => status === 200)) {
      for (const { caller, status, tag: own } of asked) {
        const headers = { ...read().headersOf(caller, path), 'If-None-Match': tag ?? '' }
        // Without the condition they are told the same: then, and then alone, they may be told that it is the same.
        const expected = status === 200 && own === tag ? 304 : status
        expect([caller, (await ask(path, headers)).status]).toEqual([caller, expected])
      }
    }
  }

  test('given each form of a known tag, then it is one', async () => {
    const path = read().pathOf('getTask')
    const credentials = read().headersOf('reader', path)
    const tag = (await ask(path, credentials)).headers.get('etag') ?? ''
    for (const sent of [`"other", ${tag}`, `W/${tag.replace(/^W\//, '')}`, '*']) {
      expect([sent, (await ask(path, { ...credentials, 'If-None-Match': sent })).status]).toEqual([sent, 304])
    }
  })

  describe('what the service says of itself', () => {
    test.each([
      '/',
      '/openapi.json',
      '/docs/api',
      '/docs/api/start.js',
      '/docs/api/swagger-ui.css',
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
}
