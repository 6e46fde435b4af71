import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readMotion } from './in-page.mjs'
import { offer, openLiveService, requester, worker } from './live-service.ts'
import { findViolations, openBrowser } from './open-browser.ts'
import {
  beginTyping,
  connect,
  openField,
  readChanged,
  readParagraph,
  readTyping,
  selectParagraph,
  setHidden,
} from './reader.mjs'

const { service, happen, addEntry, openStreams } = openLiveService()
const browser = openBrowser()

async function openPage(before?: Page): Promise<Page> {
  const page = await (before === undefined ? browser.open() : before.context().newPage())
  await page.goto(service.url)
  await page.locator('article.entry').first().waitFor()
  return page
}

const countEntries = (page: Page) => expect.poll(() => page.locator('article.entry').count())

test('given entries of the task, then its page shows them, from the block behind its own on, and goes on where it was when a stream is cut or its place is gone', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  expect(service.opened.map(({ search }) => search)).toEqual(['?fromBlock=8'])
  const reads = service.reads
  happen(() => {}, `0x${'99'.repeat(32)}`)
  happen(addEntry('c'))
  await countEntries(page).toBe(3)
  expect(await page.locator('article.entry').first().getAttribute('id')).toBe('SUB-c')
  expect(service.reads).toBe(reads + 1)

  for (const { out } of service.streams) out.destroy()
  await expect.poll(() => service.opened.length).toBe(2)
  expect(service.opened.at(-1)?.search).toBe('?after=e-9')
  happen(addEntry('d'))
  await countEntries(page).toBe(4)

  service.refusal = 410
  for (const { out } of service.streams) out.destroy()
  await expect.poll(() => service.opened.length).toBe(3)
  happen(addEntry('e'))
  service.refusal = null
  await countEntries(page).toBe(5)
  expect(service.opened.at(-1)?.search).toBe('')
})

test('given an update, then what has changed is marked for a moment, and said to those who do not see it; without motion for those who want less', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  happen(() => {
    addEntry('c')()
    service.task = { ...service.task, status: 'cancelled', phase: 'resolved', pendingActions: [] }
  })
  await countEntries(page).toBe(3)
  await page.locator('.head .state.changed').waitFor()
  const { marked, said } = await page.evaluate(readChanged)
  // What is below the screen waits for the reader.
  expect(marked).not.toContain('article SUB-c')
  expect(marked).not.toContain('article SUB-a')
  expect(said).toBe('Updated: Cancelled, Entries, What happened and what comes next and more.')
  await page.locator('#SUB-c').scrollIntoViewIfNeeded()
  await page.locator('#SUB-c.changed').waitFor()
  expect(await findViolations(page)).toEqual([])
  await expect.poll(async () => (await page.evaluate(readChanged)).marked).toEqual([])

  await page.emulateMedia({ reducedMotion: 'reduce' })
  happen(addEntry('d'))
  await page.locator('#SUB-d').scrollIntoViewIfNeeded()
  await page.locator('article.changed').waitFor()
  expect(await page.evaluate(readMotion)).toEqual([])
})

test('given a reader, then scroll, focus, selection, what is typed and an open dialog stay as they are', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  await page.evaluate(beginTyping)
  const before = await page.evaluate(readTyping)
  expect(await page.evaluate('scrollY')).toBeGreaterThan(500)
  happen(() => {
    addEntry('c')()
    const pendingActions = [offer('accept', worker('c')), ...service.task.pendingActions]
    service.task = { ...service.task, tags: ['writing', 'law'], pendingActions }
  })
  await countEntries(page).toBe(3)
  expect(await page.evaluate(readTyping)).toEqual(before)

  await page.evaluate(openField)
  happen(addEntry('d'))
  await countEntries(page).toBe(4)
  expect(await page.evaluate("document.activeElement === document.querySelector('dialog[open] input')")).toBe(true)
  expect(await page.evaluate(readTyping)).toMatchObject({ value: before.value, selected: before.selected })
})

test('given a text that is selected, and a button with the focus, then they stay when more comes before them', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  await page.evaluate(selectParagraph)
  const before = await page.evaluate(readParagraph)
  happen(() => {
    service.task = { ...service.task, tags: Array.from({ length: 40 }, (_, index) => `tag number ${index}`) }
  })
  await expect.poll(() => page.locator('.head a[href*="tags"]').count()).toBe(40)
  expect(await page.evaluate(readParagraph)).toEqual(before)

  await page.evaluate(connect, requester)
  await page.locator(`[data-worker="${worker('b')}"]`).focus()
  happen(() => {
    service.task = { ...service.task, pendingActions: [offer('accept', worker('c')), ...service.task.pendingActions] }
  })
  await expect.poll(() => page.locator('[data-act=accept]').count()).toBe(3)
  expect(await page.evaluate('document.activeElement.dataset.worker')).toBe(worker('b'))
  expect(
    await page.locator('[data-act=accept]').evaluateAll((all) => all.map(({ dataset }) => dataset.worker?.at(-1))),
  ).toEqual(['c', 'a', 'b'])
})

/** Tabs that wait for the stream of another. */
const countWaiting = async () => (await navigator.locks.query()).pending?.length

test('given two tabs, then they share one stream, and the second has it when the first is closed', async () => {
  const first = await openPage()
  await openStreams().toBe(1)
  const second = await openPage(first)
  // It hears the first one, and waits for its place.
  await expect.poll(async () => await second.evaluate(countWaiting)).toBe(1)
  happen(addEntry('c'))
  await countEntries(first).toBe(3)
  await countEntries(second).toBe(3)
  expect(service.streams).toHaveLength(1)
  await first.close()
  await expect.poll(() => service.opened.length).toBe(2)
  // It goes on behind what the first tab had told it.
  expect(service.opened[1]?.search).toBe('?after=e-8')
  await openStreams().toBe(1)
  happen(addEntry('d'))
  await countEntries(second).toBe(4)
})

test('given a tab that is hidden, then it has no stream, and shows what happened when it is visible again', async () => {
  const page = await openPage()
  await openStreams().toBe(1)
  await page.evaluate(setHidden, true)
  await openStreams().toBe(0)
  const reads = service.reads
  happen(addEntry('c'))
  await page.evaluate(setHidden, false)
  await countEntries(page).toBe(3)
  await openStreams().toBe(1)
  expect(service.opened.at(-1)?.search).toBe('?fromBlock=9')
  expect(service.reads).toBe(reads + 1)
  happen(addEntry('d'))
  await countEntries(page).toBe(4)
})

test('given a service without streams, then the page is read in pauses', async () => {
  service.refusal = 503
  const page = await openPage()
  happen(addEntry('c'))
  await countEntries(page).toBe(3)
})

test('given an unlisted task and a page from a cache that is older than what happened, then it asks for its entries alone, and is read until it is not', async () => {
  service.task = { ...service.task, taskVisibility: 'unlisted' }
  const page = await openPage()
  await openStreams().toBe(1)
  expect(service.opened[0]?.search).toBe(`?taskId=${service.task.id}&fromBlock=8`)
  const { task, submissions, reads } = service
  happen(addEntry('c'))
  const changed = { task: service.task, submissions: service.submissions }
  Object.assign(service, { task, submissions, block: 7 })
  await expect.poll(() => service.reads).toBeGreaterThan(reads)
  Object.assign(service, changed, { block: 8 })
  await countEntries(page).toBe(3)
})
