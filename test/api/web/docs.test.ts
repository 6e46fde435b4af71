import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detailNames } from '../../../protocol/details.ts'
import { loadLibrary } from '../../../web/docs/library.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { browser, getPage, withPages } from '../../support/pages.ts'

const { docs } = await loadLibrary()
const paths = [...docs.keys()]

let api: TestApi
let app: Hono
/** The answer of each path, asked for once. */
const pages = new Map<string, ReturnType<typeof getPage>>()
beforeAll(async () => {
  api = await startTestApi()
  app = withPages(api.deps)
})
afterAll(() => api.stop())

function read(path: string): ReturnType<typeof getPage> {
  const answer = pages.get(path) ?? getPage(app, path)
  pages.set(path, answer)
  return answer
}

test('given the files of docs/, then the pages of each door and of each error detail are served, and the list of errors has links to its pages', () => {
  for (const path of ['/docs', '/docs/learn', '/docs/build', '/docs/operate', '/docs/internals', '/docs/errors']) {
    expect(paths).toContain(path)
  }
  const errors = detailNames.map((name) => `/docs/errors/${name}`)
  expect(paths).toEqual(expect.arrayContaining(errors))
  expect(docs.get('/docs/errors')?.hrefs).toEqual(expect.arrayContaining(errors))
  expect(new Set(paths).size).toBe(paths.length)
})

test('given every page, then it has one title and a policy, and its links and anchors are there', async () => {
  const findings: string[] = []
  for (const path of paths) findings.push(...(await findFaults(path)).map((fault) => `${path}: ${fault}`))
  expect(findings).toEqual([])
})

/** The faults of a page: what its policy forbids, headings and anchors that are not unique, links that lead nowhere. */
async function findFaults(path: string): Promise<string[]> {
  const { status, headers, text } = await read(path)
  const policy = headers.get('content-security-policy') ?? 'unsafe'
  const faults = status === 200 && !policy.includes('unsafe') ? [] : [`status ${status}, policy ${policy}`]
  const [, main = ''] = /<main(.*)<\/main>/s.exec(text) ?? []
  if (main.match(/<article [^>]*><h1 /g)?.length !== 1) faults.push('does not begin with one title')
  for (const [part] of main.matchAll(/ style="|<style|<script| on\w+="|<a [^>]*>(?:(?!<\/a>).)*<a /g)) faults.push(part)
  const ids = [...main.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  if (new Set(ids).size !== ids.length) faults.push('an anchor occurs twice')
  for (const [, link = ''] of main.matchAll(/ href="([^"]*)"/g)) {
    if (/^(?:https?|mailto):/.test(link)) continue
    const [target = '', anchor] = link.split('#')
    const page = await read(target === '' ? path : target)
    const hasAnchor = anchor === undefined || page.text.includes(` id="${anchor}"`)
    if (page.status !== 200 || !hasAnchor) faults.push(`${link} is dead`)
  }
  return faults
}

test('given a browser that has the page or the index of the search, then it gets 304', async () => {
  for (const path of ['/docs', '/docs/learn/glossary', '/docs/search.json']) {
    const { headers } = await read(path)
    const again = await getPage(app, path, { ...browser, 'If-None-Match': headers.get('etag') ?? '' })
    expect([path, again.status, again.text]).toEqual([path, 304, ''])
  }
})

test('given a path of a file, then it leads to its page, and no other file is served', async () => {
  const { status, headers } = await read('/docs/operate/deploy.md')
  expect([status, headers.get('location')]).toEqual([301, '/docs/operate/deploy'])
  expect((await read('/docs/operate/README.md')).headers.get('location')).toBe('/docs/operate')
  for (const path of [
    '/docs/openapi.json',
    '/docs/nothing',
    '/docs/..%2fpackage.json',
    '/docs/../web/main.ts',
    '/docs//etc/passwd',
  ]) {
    expect([path, (await read(path)).status]).toEqual([path, 404])
  }
})
