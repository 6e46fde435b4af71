import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

test('the page and everything it loads come from this host, and nothing is inline', async () => {
  const page = await api.get('/docs')
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

test('the page asks no other host whether the document is valid', async () => {
  expect((await api.get('/docs/start.js')).body).toContain('validatorUrl: null')
})

test('only the files of the page are served', async () => {
  for (const path of ['/docs/package.json', '/docs/..%2fapp.ts', '/docs/swagger-ui-bundle.js.map']) {
    expect((await api.get(path)).status).toBe(404)
  }
})

test('the root says where everything is', async () => {
  const { body } = await api.get('/')
  expect(body).toMatchObject({ name: 'task-marketplace API', version: '1.0.0' })
  for (const path of [body.openapi, body.docs, body.health]) expect((await api.get(path)).status).toBe(200)
})
