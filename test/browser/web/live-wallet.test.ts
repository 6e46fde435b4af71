import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openLiveService, requester } from './live-service.ts'
import { findViolations, openBrowser, watchProblems } from './open-browser.ts'
import { disconnect, markParts, readChanged, setHidden, signIn } from './reader.mjs'

const { service, happen, addEntry, addOwnEntry, openStreams } = openLiveService()
const browser = openBrowser()

/** Opens the page as the requester, who has signed who reads. */
async function openPage({ minutes = 60 } = {}): Promise<Page> {
  const page = await browser.open()
  await page.addInitScript(signIn, { address: requester, minutes })
  await page.goto(service.url)
  await page.locator('article.entry').first().waitFor()
  return page
}

const entriesOf = (page: Page) => expect.poll(() => page.locator('article.entry').count())
const isOwn = ({ reader }: { reader: string | undefined }) => reader === requester

test('given a private task and a wallet that has signed who reads, then its page opens at once and follows what the wallet may see', async () => {
  service.isPrivate = true
  const page = await openPage()
  const problems = await watchProblems(page)
  await openStreams().toBe(1)
  expect(service.streams[0]).toMatchObject({ reader: requester })
  expect(service.opened[0]?.search).toBe(`?taskId=${service.task.id}`)
  await expect.poll(() => service.ownReads).toBe(6)
  await page.evaluate(markParts)
  happen(addEntry('c'))
  await entriesOf(page).toBe(3)
  // What was there stays as it is.
  expect(await page.locator('[data-seen=before]').count()).toBe(3)
  expect((await page.evaluate(readChanged)).said).toBe('Updated: Entries.')
  await page.locator('article.entry').first().scrollIntoViewIfNeeded()
  await page.locator('article.changed').waitFor()
  expect((await page.evaluate(readChanged)).marked).toEqual(['article'])
  // A hidden tab has no stream, and shows what happened when it is visible again.
  await page.evaluate(setHidden, true)
  await openStreams().toBe(0)
  happen(() => {
    service.task = { ...service.task, status: 'cancelled', phase: 'resolved', pendingActions: [] }
  })
  await page.evaluate(setHidden, false)
  await page.locator('.head .state', { hasText: 'Cancelled' }).waitFor()
  await openStreams().toBe(1)
  expect(await page.locator('[data-act]').count()).toBe(0)
  expect(await page.locator('h1[data-seen=before]').count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
  expect(await problems()).toEqual([])
})

test('given a private task, when the service takes the read identity no more, then what is shown stays, and the page offers to go on', async () => {
  service.isPrivate = true
  const page = await openPage()
  await openStreams().toBe(1)
  service.takesReaders = false
  for (const { out } of service.streams) out.end(': the read identity has ended\n\n')
  await page.getByText('Not kept up to date any more', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Go on reading' }).waitFor()
  expect((await page.evaluate(readChanged)).said).toBe('This is not kept up to date any more.')
  expect(await page.locator('article.entry').count()).toBe(2)
  expect(service.streams).toEqual([])
  expect(service.opened).toHaveLength(2)
  expect(await findViolations(page)).toEqual([])
})

test('given a private task and a signature near its end, then the page says so before the service refuses', async () => {
  service.isPrivate = true
  // An update asks for no signature three minutes before the end.
  const page = await openPage({ minutes: 3 + 4 / 60 })
  await openStreams().toBe(1)
  await page.getByText('Not kept up to date any more', { exact: true }).waitFor()
  await openStreams().toBe(0)
  expect(await page.locator('article.entry').count()).toBe(2)
})

test('given a private task, when its wallet is no longer invited or connected, then nothing of it is left, and no stream', async () => {
  service.isPrivate = true
  for (const leave of [
    () => happen(() => Object.assign(service, { isInvited: false })),
    (page: Page) => page.evaluate(disconnect),
  ]) {
    service.isInvited = true
    const page = await openPage()
    await openStreams().toBe(1)
    await leave(page)
    await page.getByRole('heading', { name: 'This task is private' }).waitFor()
    expect(await page.content()).not.toContain('Summarise')
    await openStreams().toBe(0)
    await page.close()
  }
})

test('given a public task with entries for its requester alone, then they are shown at once and kept up to date by a stream of the wallet', async () => {
  addOwnEntry('d')()
  const page = await openPage()
  await entriesOf(page).toBe(3)
  await openStreams().toBe(1)
  expect(service.streams[0]).toMatchObject({ reader: requester })
  expect(service.opened.at(-1)?.search).toBe(`?taskId=${service.task.id}&fromBlock=8`)
  await page.evaluate(markParts)
  happen(addOwnEntry('e'), undefined, isOwn)
  await entriesOf(page).toBe(4)
  expect(await page.locator('article[data-seen=before]').count()).toBe(3)
})

test('given entries for a wallet alone, when what it signed ends, then they stay, and the page goes on with what everyone sees', async () => {
  addOwnEntry('d')()
  const page = await openPage()
  await entriesOf(page).toBe(3)
  await openStreams().toBe(1)
  service.takesReaders = false
  for (const { out } of service.streams) out.end(': the read identity has ended\n\n')
  await page.getByText('Not kept up to date any more', { exact: true }).waitFor()
  await openStreams().toBe(1)
  expect(service.streams[0]).toMatchObject({ reader: undefined })
  happen(addEntry('c'))
  await entriesOf(page).toBe(4)
  await page.evaluate(disconnect)
  await entriesOf(page).toBe(3)
  await page.getByText('Not kept up to date any more', { exact: true }).waitFor({ state: 'detached' })
  await openStreams().toBe(1)
})
