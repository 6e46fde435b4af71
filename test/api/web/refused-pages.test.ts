import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Overloaded } from '../../../api/concurrency/semaphore.ts'
import { createApp } from '../../../api/server/app.ts'
import { createWeb } from '../../../web/create-web.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { browser, getPage, PUBLIC_URL } from '../../support/pages.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

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

  test('given a browser at a path of the API, then a refusal is JSON', async () => {
    const { status, text } = await getPage(openApp(new Error()), '/api/tasks/nothing/at/all')
    expect(status).toBe(404)
    expect(JSON.parse(text).error).toBeTypeOf('string')
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
