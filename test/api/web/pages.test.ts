import type { Hono } from 'hono'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Overloaded } from '../../../api/concurrency/semaphore.ts'
import { createApp } from '../../../api/server/app.ts'
import { createWeb } from '../../../web/create-web.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { browser, getPage, PUBLIC_URL, withPages } from '../../support/pages.ts'
import { START } from '../../support/rows/insert-row.ts'

const requester = anActor()
const alice = anActor()
const bob = anActor()
const hostile = '<script>alert(1)</script> "><img src=x onerror=alert(2)> \u202egnp.exe [a](javascript:alert(3))'

let api: TestApi
let app: Hono
beforeAll(async () => {
  api = await startTestApi()
  app = withPages(api.deps)
})
afterAll(() => api.stop())

const page = (path: string, headers = browser) => getPage(app, path, headers)

test('given a browser at the root, then it gets a page, and a program what it got before', async () => {
  const html = await page('/')
  expect(html.status).toBe(200)
  expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html.headers.get('vary')).toMatch(/\bAccept\b(?!-)/)
  const plain = await getPage(api.app, '/', { Accept: '*/*' })
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json']) {
    const json = await page('/', { Accept: accept })
    expect(json.text).toBe(plain.text)
    expect(json.headers.get('vary')).toMatch(/\bAccept\b(?!-)/)
  }
})

test('given tasks, then the list shows them, and its form is the state of its URL', async () => {
  await api.seed.task(
    { requester: requester.address, reward: 40_000_000n },
    { description: 'Summarise the contract\n\nAt most 400 words.', tags: ['listed', 'writing'] },
  )
  const { status, text } = await page('/tasks?tags=listed&mode=bounty&minReward=39.5')
  expect(status).toBe(200)
  expect(text).toContain('Summarise the contract')
  expect(text).toContain('At most 400 words.')
  expect(text).toContain('40.00 <small><bdi>USDC</bdi></small>')
  expect(text).toMatch(/<time datetime="2030-01-02T00:00:00.000Z"[^>]*>24 h left<\/time>/)
  expect(text).toContain('<option value="bounty" selected>')
  expect(text).toContain('name="minReward" value="39.5"')
  expect((await page('/tasks?tags=listed&minReward=40.000001')).text).toContain('No task fits this filter')
})

test('given more tasks than a page has, then links lead through all of them', async () => {
  for (let count = 0; count < 23; count += 1) {
    await api.seed.task({ requester: bob.address }, { description: `Paged ${count}.`, tags: ['paged'] })
  }
  const first = await page('/tasks?tags=paged')
  const [, next = ''] = /href="(\/tasks\?[^"]*cursor=[^"]*)" rel="next"/.exec(first.text) ?? []
  const second = await page(next.replaceAll('&amp;', '&'))
  const shown = [...`${first.text}${second.text}`.matchAll(/>Paged (\d+)\./g)].map(([, number]) => number)
  expect(new Set(shown).size).toBe(23)
  expect(shown).toHaveLength(23)
})

test.each([
  ['/tasks?minReward=lots', 'Type an amount such as 12.50.'],
  ['/tasks?mode=raffle', 'This filter cannot be used'],
  ['/tasks?deadlineHours=-1', 'This filter cannot be used'],
])('given the filter %s, which is none, then the form says so', async (path, message) => {
  const { status, text } = await page(path)
  expect(status).toBe(400)
  expect(text).toContain(message)
  expect(text).toContain('noindex')
})

test('given a task with entries, then its page shows them with their files and transactions', async () => {
  const task = await api.seed.task(
    { requester: requester.address },
    { description: '# Draw a *map*\n\nIn **ink**, see [this](https://example.com/a).', tags: ['maps'] },
  )
  const { artifactIds } = await api.seed.submission(task.id, alice.address, { files: ['map.txt'] })
  const { status, text } = await page(`/tasks/${task.referenceCode}`)
  expect(status).toBe(200)
  expect(text).toContain('<h1 dir="auto">Draw a *map*</h1>')
  expect(text).toContain('<strong>ink</strong>')
  expect(text).toContain('<a href="https://example.com/a" rel="nofollow noopener ugc"')
  expect(text).toContain('map.txt')
  expect(text).toContain(`/agents/${getAddress(alice.address)}`)
  expect(text).toContain('data-act="accept"')
  expect(text).toContain(`<link rel="canonical" href="https://market.example/tasks/${task.referenceCode}">`)
  const file = await app.request(`/tasks/${task.referenceCode}/files/${artifactIds[0]}`)
  expect(file.status).toBe(302)
  expect(file.headers.get('location')).toContain(`/api/artifacts/${artifactIds[0]}?`)
})

test('given the id of a task, or its code in lower case, then it leads to the page', async () => {
  const task = await api.seed.task({ requester: requester.address })
  for (const name of [task.id, task.id.toUpperCase().replace('0X', '0x'), task.referenceCode.toLowerCase()]) {
    const response = await app.request(`/tasks/${name}`, { headers: browser })
    expect(response.headers.get('location') ?? `200 at ${name}`).toBe(`/tasks/${task.referenceCode}`)
  }
})

test('given a private task, then its page is the one of an unknown task, for its requester too', async () => {
  const secret = await api.seed.task(
    { requester: requester.address },
    { description: 'A secret plan', taskVisibility: 'private' },
  )
  const shown = await page(`/tasks/${secret.referenceCode}`, { ...browser, ...(await readHeadersOf(requester)) })
  const unknown = await page('/tasks/TSK-ZZZZZZZZ')
  expect(shown.status).toBe(404)
  expect(shown.text).not.toContain('secret plan')
  expect(shown.text.replaceAll(secret.referenceCode, 'TSK-ZZZZZZZZ')).toBe(unknown.text)
})

test('given an unlisted task, then its page has no preview and is kept out of search engines', async () => {
  const task = await api.seed.task(
    { requester: requester.address },
    { description: 'Hidden', taskVisibility: 'unlisted' },
  )
  const { text } = await page(`/tasks/${task.referenceCode}`)
  expect(text).toContain('Hidden')
  expect(text).toContain('<meta name="robots" content="noindex">')
  expect(text).not.toContain('og:title')
  expect((await page('/tasks?state=all&q=Hidden')).text).not.toContain(task.referenceCode)
  const sitemap = await getPage(withPages(api.deps), '/sitemap.xml')
  expect(sitemap.text).not.toContain(task.referenceCode)
})

test('given hostile texts, then no page has markup of theirs', async () => {
  const task = await api.seed.task(
    { requester: alice.address, mode: 'pitch', pitchDeadline: START + 3_600n },
    { description: `${hostile}\n\n${hostile}\n\n<b>x</b>`, tags: [hostile.slice(0, 40)] },
  )
  await api.seed.pitch(task.id, bob.address, { pitchText: hostile })
  const drop = await api.seed.drop(alice.address, { name: hostile.slice(0, 80), description: hostile })
  await api.seed.dropMember(drop, task)
  const search = encodeURIComponent(hostile)
  const paths = [
    `/tasks/${task.referenceCode}`,
    '/tasks',
    `/tasks?q=${search}&tags=${search}&minReward=${search}&mode=${search}&state=${search}&requester=${search}`,
    '/',
    `/drops/${drop}`,
    '/drops',
    `/requesters/${alice.address}`,
    `/leaderboard?skill=${search}&search=${search}`,
    '/tasks.atom',
  ]
  for (const path of paths) {
    const { text } = await page(path)
    expect(text, path).not.toMatch(
      /<script(?! type="module" src="\/assets\/[\w-]+[.]js"><\/script>)|<img|<b>|javascript:alert\(3\)"/,
    )
    expect(text, path).not.toContain('\u202e')
  }
})

test('given every page, then it has a policy without exceptions, no cookie, no inline script, and a tag', async () => {
  const task = await api.seed.task({ requester: requester.address })
  const paths = [
    '/',
    '/tasks',
    `/tasks/${task.referenceCode}`,
    '/leaderboard',
    '/market',
    '/me',
    '/tasks/new',
    '/drops',
    '/vaults',
  ]
  for (const path of [...paths, `/agents/${alice.address}`, `/requesters/${requester.address}`]) {
    const { status, headers, text } = await page(path)
    expect(status, path).toBe(200)
    expect(headers.get('content-security-policy'), path).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(headers.get('content-security-policy'), path).not.toContain('unsafe')
    expect(headers.get('set-cookie'), path).toBeNull()
    expect(text, path).not.toMatch(
      /<script(?! type="module" src="\/assets\/[\w-]+[.]js"><\/script>)|<style| style="| on[a-z]+="/,
    )
    expect(text.match(/<h1/g), path).toHaveLength(1)
    const tag = headers.get('etag') ?? ''
    const again = await app.request(path, { headers: { ...browser, 'If-None-Match': tag } })
    expect([path, again.status]).toEqual([path, 304])
  }
})

test('given the stylesheet of a page, then it is served for a year, compressed', async () => {
  const { text } = await page('/tasks')
  const [, url = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(text) ?? []
  const response = await app.request(url, { headers: { 'Accept-Encoding': 'br' } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('given feeds of a filter, then both have its tasks', async () => {
  const task = await api.seed.task({ requester: requester.address }, { description: 'Fed & <read>', tags: ['feeds'] })
  const atom = await page('/tasks.atom?tags=feeds')
  expect(atom.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  expect(atom.text).toContain('<title>Fed &amp; &lt;read&gt;</title>')
  const json = JSON.parse((await page('/tasks.json?tags=feeds')).text)
  expect(json.items).toMatchObject([
    { url: `https://market.example/tasks/${task.referenceCode}`, title: 'Fed & <read>', tags: ['feeds'] },
  ])
  expect((await page('/robots.txt')).text).toContain('Sitemap: https://market.example/sitemap.xml')
  const sitemap = await getPage(withPages(api.deps), '/sitemap.xml')
  expect(sitemap.text).toContain(`<loc>https://market.example/tasks/${task.referenceCode}</loc>`)
})

test('given books that are not compared yet, then their page says when to come again', async () => {
  const { status, headers, text } = await page('/books')
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('5')
  expect(text).toContain('Try again in 5 s.')
})

test.each(['/agents/0x12', '/requesters/alice', '/tasks/TSK-1', '/drops/00000000-0000-4000-8000-000000000000'])(
  'given %s, which is not there, then a page says so',
  async (path) => {
    const { status, text } = await page(path)
    expect([400, 404]).toContain(status)
    expect(text).toContain('<h1>')
    expect(text).toContain('noindex')
  },
)

test('given pages without scripts, then none has a button that a script would need, and each says the command in its place', async () => {
  const task = await api.seed.task({ requester: requester.address }, { description: 'Shown alone' })
  const shown = await page(`/tasks/${task.referenceCode}`)
  for (const { text } of [shown, await page('/tasks/new'), await page('/me')]) {
    expect(text).toContain('<body class="still">')
    expect(text).not.toContain('noscript')
    expect(text).toContain('<code>task-market ')
  }
})

const settings = { publicUrl: PUBLIC_URL, serviceName: 'service' }

describe('A page that the service cannot answer', () => {
  const openApp = (failure: Error) =>
    createApp(api.deps, (fetch) => {
      const web = createWeb({ fetch, ...settings })
      web.get('/broken', () => {
        throw failure
      })
      return web
    })

  test('given a service with too much to do, then a browser gets a page that says when to come again, a program JSON', async () => {
    const app = openApp(new Overloaded('It has too much to do'))
    const { status, headers, text } = await getPage(app, '/broken?q=1')
    expect(status).toBe(503)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('retry-after')).toBe('2')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).toContain('Try again in 2 s.')
    expect(text).toContain('href="/broken?q=1"')
    const json = await getPage(app, '/broken', { Accept: 'application/json' })
    expect(json.status).toBe(503)
    expect(JSON.parse(json.text).error).toBeTypeOf('string')
  })

  test('given a failure, then the page has the status 500 and says nothing of it', async () => {
    const { status, text } = await getPage(openApp(new Error('the secret text')), '/broken')
    expect(status).toBe(500)
    expect(text).toContain('This page failed')
    expect(text).not.toContain('secret')
  })

  test('given a client that asks for the page of refusals, then it is as any page that is not there', async () => {
    expect((await getPage(openApp(new Error()), '/refused')).status).toBe(404)
  })
})

test('given pages alone over an API whose answer is no JSON, then a page says that it failed', async () => {
  const web = createWeb({ ...settings, fetch: async () => new Response('<html>') })
  const { status, text } = await getPage(web, '/tasks', browser)
  expect(status).toBe(500)
  expect(text).toContain('<h1>This page failed</h1>')
})
