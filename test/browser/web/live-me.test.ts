import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogRows } from '../../api/events/log-rows.ts'
import { START } from '../../support/rows/insert-row.ts'
import { addressOf, connect } from './clicking.ts'
import { findViolations, openBrowser, watchProblems } from './open-browser.ts'
import { type PagesOnRows, startPagesOnRows } from './pages-on-rows.ts'

const browser = openBrowser()
let pages: PagesOnRows
beforeAll(async () => {
  pages = await startPagesOnRows()
  await pages.api.deps.events.start()
})
afterAll(() => pages?.stop())

const lower = (role: 'requester' | 'alice') => addressOf(role).toLowerCase() as `0x${string}`

test('given “My work” of a worker, when the time to deliver ends without an entry of the log, then what can be done changes in its place', async () => {
  const { api, clockAheadMs, url } = pages
  const terms = { mode: 'claim', status: 'claimed', requester: lower('requester'), expiryTime: START + 600n } as const
  const { id } = await api.seed.task({ ...terms, worker: lower('alice') })
  const log = createLogRows(api, { taskId: id, subject: lower('alice') })
  await log.setHead(1)
  await log.append()

  const page = await browser.open({ clockAheadMs })
  const problems = await watchProblems(page)
  const streams: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/events') streams.push(request.url())
  })
  await page.goto(`${url}/me`)
  await connect(page, 'alice')
  const toDo = page.locator('#my-work section', { hasText: 'To do' })
  await toDo.getByRole('button', { name: 'Deliver work' }).waitFor()
  await expect.poll(() => streams.length).toBe(1)
  expect(new URL(streams[0] ?? '').searchParams.get('actions')?.toLowerCase()).toBe(lower('alice'))

  api.chain.now = START + 700n
  await log.setHead(2)
  await log.append()
  await toDo.getByRole('button', { name: 'Deliver work' }).waitFor({ state: 'detached' })
  expect(streams).toHaveLength(1)
  expect(await findViolations(page)).toEqual([])
  expect(await problems()).toEqual([])
})
