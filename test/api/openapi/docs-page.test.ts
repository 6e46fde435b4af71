import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detailNames } from '../../../protocol/details.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { getPage, withPages } from '../../support/pages.ts'

let api: TestApi
let pages: Hono
beforeAll(async () => {
  api = await startTestApi()
  pages = withPages(api.deps)
})
afterAll(() => api.stop())

test('the page and everything it loads come from this host, and nothing is inline', async () => {
  const page = await api.get('/docs/api')
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '')
  expect(links.length).toBeGreaterThan(3)
  for (const link of links) {
    expect(link).toMatch(/^\/[^/]/)
    const { status, headers } = await api.get(link)
    expect([link, status]).toEqual([link, 200])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect(page.body).not.toMatch(/<script(?![^>]*src=)|<style|style="|onload=/)
})

test('the description begins with three calls, which work as they stand, and ends with the procedures', async () => {
  const { description } = (await api.get('/openapi.json')).body.info
  const headings = [...description.matchAll(/^## (.+)$/gm)].map(([, heading]: string[]) => heading)
  expect(headings).toEqual(['Start', 'Rules', 'Procedures'])
  expect(description.split('## Procedures')[0]).not.toContain('/trpc/')
  const calls = [...description.matchAll(/^ *curl .*?(?=^ *```)/gms)].map(([call]: string[]) => call ?? '')
  const answers = await Promise.all(
    calls.map(async (call) => {
      const path = `/api${/"\$API([^"]*)"/.exec(call)?.[1]}`
      const body = /-d '([^']*)'/.exec(call)?.[1]
      const headers = { 'X-Service-Idempotency-Key': crypto.randomUUID() }
      return body === undefined ? await api.get(path) : await api.post(path, JSON.parse(body), headers)
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 402, 200])
  expect(answers.map(({ body }) => Object.keys(body)[0])).toEqual(['tasks', 'x402Version', 'items'])
  for (const [, link = ''] of description.matchAll(/\]\((\/[^)]*)\)/g)) {
    expect([link, (await getPage(pages, link)).status]).toEqual([link, 200])
  }
})

test('the page asks no other host whether the document is valid', async () => {
  expect((await api.get('/docs/api/start.js')).body).toContain('validatorUrl: null')
})

test('a refusal names its condition, and its link leads to the page of it', async () => {
  const creation = { description: 'Name it', reward: '1', duration: 1, tags: [] }
  const headers = { 'X-Service-Idempotency-Key': crypto.randomUUID() }
  const refused = await api.post('/api/tasks', creation, headers)
  expect(refused.body.service).toMatchObject({ reason: 'payment_preflight_rejected', detail: 'reward_too_low' })
  const page = await getPage(pages, new URL(refused.body.service.docs).pathname)
  expect(page.status).toBe(200)
  expect(page.text).toContain('1000 base units')
})

test('every error detail has a page, which the list links to', async () => {
  const { text } = await getPage(pages, '/docs/errors')
  for (const name of detailNames) {
    expect(text).toContain(`href="/docs/errors/${name}"`)
    expect([name, (await getPage(pages, `/docs/errors/${name}`)).status]).toEqual([name, 200])
  }
  expect((await getPage(pages, '/docs/errors/unknown_detail')).status).toBe(404)
})

test('only the files of the page are served', async () => {
  for (const path of ['/docs/api/package.json', '/docs/api/..%2fapp.ts', '/docs/api/swagger-ui-bundle.js.map']) {
    expect((await api.get(path)).status).toBe(404)
  }
})

test('the root says where everything is, and a service without pages leads from there to the API reference', async () => {
  const { body } = await api.get('/')
  expect(body).toMatchObject({ name: 'task-marketplace API', version: '1.0.0' })
  for (const path of [body.openapi, body.reference, body.health]) expect((await api.get(path)).status).toBe(200)
  expect((await getPage(pages, body.docs)).status).toBe(200)
  expect((await api.get(body.docs)).headers.get('location')).toBe(body.reference)
})
