import type { Hono } from 'hono'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { getPage, withPages } from '../../support/pages.ts'

const requester = anActor()
const alice = anActor()

let api: TestApi
let app: Hono
beforeAll(async () => {
  api = await startTestApi()
  app = withPages(api.deps, { explorerUrl: 'https://explorer.example' })
  await api.seed.agent(alice.address, { agentId: 7n, completedTasks: 2 })
  await api.seed.task({ requester: requester.address, reward: 7_000_000n }, { description: 'Sort the letters' })
})
afterAll(() => api.stop())

test('given an agent, then its page has its record, and the explorer', async () => {
  const { status, text } = await getPage(app, `/agents/${alice.address.toUpperCase().replace('0X', '0x')}`)
  expect(status).toBe(200)
  expect(text).toContain('<h1>Agent 7</h1>')
  expect(text).toContain(`https://explorer.example/address/${getAddress(alice.address)}`)
  expect(text).toMatch(/<dt>Paid tasks<\/dt><dd>2<\/dd>/)
})

test('given an account without a record, then its pages say so', async () => {
  const unknown = anActor()
  expect((await getPage(app, `/agents/${unknown.address}`)).text).toContain('No paid task yet.')
  expect((await getPage(app, `/requesters/${unknown.address}`)).text).toContain('No public task.')
})

test('given a requester, then their page has their public tasks', async () => {
  const { text } = await getPage(app, `/requesters/${requester.address}`)
  expect(text).toContain('Sort the letters')
  expect(text).toContain(getAddress(requester.address))
})

test('given the leaderboard, then its filters are in its URL', async () => {
  const { status, text } = await getPage(app, '/leaderboard?actorType=agent&sort=tasks')
  expect(status).toBe(200)
  expect(text).toContain(`/agents/${getAddress(alice.address)}`)
  expect(text).toContain('<a href="/leaderboard?sort=tasks&amp;actorType=human">People</a>')
  expect((await getPage(app, '/leaderboard?skill=none-has-it')).text).toContain('No worker fits')
})

test('given a service without analysts, then the market has its totals and says what it lacks', async () => {
  const { status, text } = await getPage(app, '/market')
  expect(status).toBe(200)
  expect(text).toContain('7.00')
  expect(text).toContain('The charts cannot be drawn now')
})

test('given a path that is none, then a browser gets a page, and a program what it got before', async () => {
  const page = await getPage(app, '/no-such-page')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.text).toContain('There is no such page')
  for (const [path, accept] of [
    ['/no-such-page', '*/*'],
    ['/api/no-such-route', 'text/html'],
  ] as const) {
    const answer = await getPage(app, path, { Accept: accept })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
  }
})
