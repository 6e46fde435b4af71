import { expect, test } from 'vitest'
import { findViolations, openBrowser, watchProblems } from './open-browser.ts'
import { serveFile, showPages } from './served-pages.ts'

const browser = openBrowser()
const rootUrl = serveFile(showPages(() => Response.json({}, { status: 503 })))

test('given a keyboard alone, when a reader searches the documentation, then arrows and Enter lead to the section', async () => {
  const page = await browser.open({ width: 320 })
  const problems = await watchProblems(page)
  await page.goto(`${rootUrl()}/docs`, { waitUntil: 'networkidle' })
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('wrong_state')
  const first = page.getByRole('link', { name: 'wrong_state', exact: true }).first()
  await first.waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await first.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${rootUrl()}/docs/errors/wrong_state`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('wrong_state')
  await page.getByRole('searchbox').fill('zzyzx refund')
  await page.getByText('Nothing has all of these words.').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('wrong_state')
  expect(await problems()).toEqual([])
})

test('given no JavaScript, then there is no search, and the index leads to a page', async () => {
  const page = await browser.open({ hasScripts: false })
  await page.goto(`${rootUrl()}/docs`)
  expect(await page.getByRole('searchbox').isVisible()).toBe(false)
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Learn' }).click()
  await page.waitForURL(`${rootUrl()}/docs/learn`)
})
