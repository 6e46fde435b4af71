import type { Hono } from 'hono'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { anExport } from '../../support/an-export.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { getPage, withPages } from '../../support/pages.ts'
import { insertDay } from '../../support/rows/day-rows.ts'
import { START } from '../../support/rows/insert-row.ts'
import { insertMarketConfig, openAudit, scriptContracts } from '../../support/scripted-books.ts'

const requester = anActor()
const alice = anActor()
const sender = anActor().address

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

test('given no day that is over, then the market has its totals and says what it lacks; given days, then weeks that sum them up', async () => {
  const { status, text } = await getPage(app, '/market')
  expect(status).toBe(200)
  expect(text).toContain('7.00')
  expect(text).toContain('No day is over yet')
  for (const day of ['2030-01-06', '2030-01-07', '2030-01-08']) await insertDay(api.sql, day)
  const { text: charts } = await getPage(withPages(api.deps), '/market')
  expect(charts).toContain('aria-label="Awarded a week, USDC, fees included: from 22 Oct to 7 Jan, 0 to 6.00"')
  expect(charts).toContain('Time to first entry, mean of the tasks entered in a week: from 22 Oct to 7 Jan, 0 to 1 h')
  expect(charts).toContain('Money in escrow, USDC at the end of the week: from 22 Oct to 7 Jan, 0 to 12')
})

test('given files that were published, then the page of the data links to them; given none, then it says so', async () => {
  expect((await getPage(app, '/data')).text).toContain('publishes no files')
  Object.assign(api.deps.exports, { list: async () => [anExport] })
  const { status, text } = await getPage(app, '/data')
  expect(status).toBe(200)
  expect(text).toContain(`href="${api.deps.exports.urlOf('files/task.parquet')}"`)
  expect(text).toMatch(/market\.task<\/a><\/td><td class="n">12,000<\/td><td class="n">1\.5 MB/)
})

describe('the books of an account', () => {
  const page = (account: string, rest = '') => getPage(app, `/books?account=${encodeURIComponent(account)}${rest}`)

  test('given a wallet, then its movements with both accounts, signs and transactions, page by page', async () => {
    await leaveMovements()
    const { status, text } = await page(` ${sender.toUpperCase().replace('0X', '0x')} `)
    expect(status).toBe(200)
    expect(text).toContain('Sent to the contract without a purpose')
    expect(text).toContain('−<span class="money">0.000001')
    expect(text).toContain(`https://explorer.example/tx/0x${'ab'.repeat(32)}`)
    expect(text).toContain(`/books?account=unassigned%3A${api.deps.deployment.market}`)
    const [, next = ''] = /href="([^"]*cursor=[^"]*)" rel="next"/.exec(text) ?? []
    const older = await getPage(app, next.replaceAll('&amp;', '&'))
    const rows = `${text}${older.text}`.match(/0\.000001/g)
    expect([rows?.length, older.text.includes('>Newest<')]).toEqual([60, true])
  })

  test('given an internal account, then what it holds; given a task, then the same of its code and its id', async () => {
    const { text } = await page(`unassigned:${api.deps.deployment.market}`)
    expect(text).toMatch(/<dt>Sent without a purpose<\/dt><dd><span class="money">0\.00006/)
    const task = await api.seed.task({ requester: requester.address })
    for (const name of [task.id, task.referenceCode.toLowerCase()]) {
      expect((await page(name)).text).toContain('No movement')
    }
  })

  test.each([
    ['escrow', 'This is no account'],
    ['TSK-ZZZZZZZZ', 'There is no such task'],
    ['<script>alert(1)</script>', 'This is no account'],
  ])('given %s, then the form says what is wrong', async (account, message) => {
    const { status, text } = await page(account)
    expect([status, text.includes(message), text.includes('<script>alert')]).toEqual([400, true, false])
  })
})

/** Sixty transfers to the market, and a comparison of the block after them. */
async function leaveMovements() {
  const { market, usdc } = api.deps.deployment
  const head = { blockNumber: 100n, blockTimestamp: START, checkpoint: '', ready: true }
  await api.sql`insert into indexed_head ${api.sql(head)}`
  await insertMarketConfig(api)
  await api.sql`
    insert into arrival
    select i, ${usdc}, ${market}, ${sender}, 1, i, ${START}, '0x' || repeat('ab', 32), 0, i from generate_series(1, 60) as i`
  await openAudit(api, scriptContracts(api.chain)).sums()
}

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
