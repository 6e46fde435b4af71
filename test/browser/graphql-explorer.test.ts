import { once } from 'node:events'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../ops/process/ports.ts'
import { type GraphqlApi, startGraphqlApi } from '../api/graphql/graphql-api.ts'
import { openBrowser, watchProblems } from './web/open-browser.ts'

const browser = openBrowser()
let api: GraphqlApi
let url: string
let server: ReturnType<typeof createAdaptorServer>

beforeAll(async () => {
  api = await startGraphqlApi()
  await api.rows.seed.task({ requester: `0x${'aa'.repeat(20)}`, reward: 7_000_000n })
  server = createAdaptorServer({ fetch: api.app.fetch })
  const port = await findFreePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  server.close()
  await api.stop()
})

test('given the explorer, when its query is run, then the rows are shown, and nothing is asked of another host', async () => {
  const page = await browser.open()
  const problemsOf = await watchProblems(page)
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  await page.goto(`${url}/graphql`)
  await page.getByRole('button', { name: /execute query/i }).click()
  await page.getByText('"7000000"').first().waitFor()
  await page.getByRole('button', { name: /documentation explorer/i }).click()
  await page.getByRole('link', { name: 'Query', exact: true }).first().click()
  await page.getByRole('link', { name: 'pitches', exact: true }).first().waitFor()

  expect([...hosts].filter((host) => host !== url && !host.startsWith('null'))).toEqual([])
  expect(await problemsOf()).toEqual([])
})
