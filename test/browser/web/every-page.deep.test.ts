import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anExport } from '../../support/an-export.ts'
import { leaveBooks } from '../../support/scripted-books.ts'
import { type HostileMarket, seedHostileMarket } from './hostile-market.ts'
import { expectHarmless, findUnseen } from './hostile-texts.ts'
import { readOverflow, readScriptButtons, readVocabularies } from './in-page.mjs'
import { endStreams, findViolations, openBrowser, watchProblems } from './open-browser.ts'
import { type FileRow, fileRows, type PageRow, pageRows } from './page-table.ts'
import { listRoutes, type PagesOnRows, startPagesOnRows } from './pages-on-rows.ts'

/** Widths of a small phone and of a large screen. */
const WIDTHS = [320, 1600] as const

const browser = openBrowser()
let full: PagesOnRows
let empty: PagesOnRows
let market: HostileMarket

beforeAll(async () => {
  ;[full, empty] = await Promise.all([startPagesOnRows(), startPagesOnRows()])
  market = await seedHostileMarket(full.api)
  await leaveBooks(full.api)
  Object.assign(full.api.deps.exports, { list: async () => [anExport, anExport] })
})
afterAll(async () => {
  await Promise.all([full?.stop(), empty?.stop()])
})

const serverOf = (row: Pick<PageRow, 'market'>) => (row.market === 'empty' ? empty : full)
const urlOf = (row: Pick<PageRow, 'market' | 'path'>) => `${serverOf(row).url}${row.path(market)}`

/** Opens a page, and fails where its texts do harm or are not those of its row. */
async function visit(page: Page, row: PageRow): Promise<void> {
  await endStreams(page)
  const answer = await page.goto(urlOf(row), { waitUntil: 'networkidle' })
  expect(answer?.status()).toBe(row.status ?? 200)
  expect(answer?.headers()['content-security-policy']).not.toContain('unsafe')
  await row.open?.(page)
  const text = await expectHarmless(page)
  for (const begin of row.shows ?? []) expect(text).toContain(`${begin}${begin === 'file' ? '"><img' : ' "><img'}`)
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(readOverflow)).toBe(0)
}

test('given the routes of the pages, then each has a row in the table, and no row has another route', () => {
  const routes = listRoutes().filter((route) => !route.startsWith('/assets/'))
  const rows = [...pageRows, ...fileRows].flatMap(({ route }) => (route === null ? [] : [route]))
  expect([...new Set(rows)].toSorted()).toEqual(routes.toSorted())
})

describe.each(pageRows.filter(({ open }) => open === undefined))('$route, $state', (row) => {
  test('given no JavaScript, then it is whole, harmless, and offers nothing that needs a script', async () => {
    const page = await browser.open({ hasScripts: false, width: 320 })
    await visit(page, row)
    await expectNoSidewaysScroll(page)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.evaluate(readScriptButtons)).toEqual([])
  })
})

test('given no JavaScript, then posting says what it needs, and a filter of the list is kept in its form', async () => {
  const page = await browser.open({ hasScripts: false })
  await page.goto(`${full.url}/tasks/new`)
  expect(await page.locator('noscript p', { hasText: 'JavaScript' }).isVisible()).toBe(true)
  await page.goto(`${full.url}/tasks`)
  await page.locator('summary', { hasText: 'More filters' }).click()
  await page.locator('select[name=mode]').selectOption('pitch')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(/mode=pitch/)
  expect(await page.locator('select[name=mode]').inputValue()).toBe('pitch')
  expect(await page.locator('.tasks > li').count()).toBe(1)
})

describe.each(pageRows)('$route, $state', (row) => {
  test('given both themes at a small and a large width, then axe, the policy and the console have nothing to say', async () => {
    const page = await browser.open({ clockAheadMs: serverOf(row).clockAheadMs })
    const problems = await watchProblems(page)
    await visit(page, row)
    expect(await problems()).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        expect(await findViolations(page), `${colorScheme}, ${width}`).toEqual([])
        await expectNoSidewaysScroll(page)
      }
    }
  })
})

describe.each(fileRows)('$route, $state', (row) => {
  test('given a browser without JavaScript, then it is parsed as what it is, and harmless', async () => {
    const page = await browser.open({ hasScripts: false })
    const answer = await page.goto(urlOf(row))
    expect(answer?.status()).toBe(row.status ?? 200)
    expect(answer?.headers()['content-type']?.startsWith(row.type)).toBe(true)
    const text = (await answer?.text()) ?? ''
    for (const begin of row.shows ?? []) expect(text).toMatch(new RegExp(`${begin} (?:&quot;|\\\\")(?:&gt;|>)`))
    expect(findUnseen(text)).toEqual([])
    await expectParsed(page, row, text)
  })
})

/** Fails if XML has an error or an element of another vocabulary, JSON has an error, or a JSON feed has another version. */
async function expectParsed(page: Page, { type }: FileRow, text: string): Promise<void> {
  if (type.includes('json')) {
    const json = JSON.parse(text)
    if (type.includes('feed')) expect(json.version).toBe('https://jsonfeed.org/version/1.1')
  } else if (type.includes('xml')) {
    const names = await page.evaluate(readVocabularies, text)
    expect(names).toHaveLength(1)
    expect(names[0]).toMatch(/Atom$|sitemap/)
  }
}

test('given a file of a delivery with a hostile name, then its link leads to bytes that no browser shows as a page', async () => {
  const answer = await fetch(`${full.url}${market.tasks.open}/files/${market.artifact}`)
  expect(answer.status).toBe(200)
  const disposition = answer.headers.get('content-disposition') ?? ''
  expect(disposition).toMatch(/^attachment;/)
  expect(disposition).not.toContain('../')
  expect(findUnseen(disposition)).toEqual([])
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})
