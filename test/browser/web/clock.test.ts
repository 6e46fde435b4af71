import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aTask, hours, NOW } from '../../unit/web/a-task.ts'
import { openBrowser } from './open-browser.ts'
import { serveFile, showPages } from './served-pages.ts'

/** A price that falls from 40 to 10 USDC in 30,000 seconds, of which 7,200 have passed: 1,000 base units a second. */
const task = aTask({
  mode: 'auction',
  auctionType: 'dutch',
  auctionFloorPrice: '10000000',
  currentAuctionPrice: '32800000',
  createdAt: hours(-2),
  bidDeadline: hours(-2 + 30_000 / 3600),
  auctionPriceReachesFloorAt: hours(-2 + 30_000 / 3600),
})
const answers: Record<string, object> = {
  [`/api/tasks/${task.referenceCode}`]: task,
  [`/api/requesters/${task.requester}/stats`]: { totalTasksCreated: 1, completedCount: 0, selfAwardCount: 0 },
}
/** The chain's clock stands ahead of that of the visitor. */
const headers = { 'X-Service-Block-Number': '7', 'X-Service-Block-Timestamp': String(NOW / 1000) }

const browser = openBrowser()
const rootUrl = serveFile(
  showPages(({ url }) => {
    const answer = answers[new URL(url).pathname]
    return Response.json(answer ?? {}, { status: answer === undefined ? 503 : 200, headers })
  }),
)

/** Opens the page at a clock that stands until the test moves it: a slow machine takes seconds to open it. */
async function openPage(reducedMotion: 'reduce' | 'no-preference'): Promise<Page> {
  const page = await browser.open()
  await page.emulateMedia({ reducedMotion })
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(1_000)
  await page.goto(`${rootUrl()}/tasks/${task.referenceCode}`, { waitUntil: 'networkidle' })
  expect(await priceOf(page)).toBe('32.80')
  return page
}

const priceOf = (page: Page) => page.locator('[data-price-now]').textContent()
const placeOf = async (page: Page) => Number(await page.locator('[data-clock]').getAttribute('cy'))

/** Lets seconds pass until the price changes: the page's script may begin after the page is there. @returns the new price */
async function untilChanged(page: Page): Promise<string | null> {
  const before = await priceOf(page)
  const passSecond = async () => {
    await page.clock.runFor(1_000)
    return await priceOf(page)
  }
  await expect.poll(passSecond, { interval: 1 }).not.toBe(before)
  return await priceOf(page)
}

test('given a clock auction, then its price and its point move each second by the time of the chain', async () => {
  const page = await openPage('no-preference')
  const before = await placeOf(page)
  expect(await untilChanged(page)).toBe('32.799')
  await page.clock.runFor(99_000)
  expect(await priceOf(page)).toBe('32.70')
  expect(await placeOf(page)).toBeGreaterThan(before)
  await page.clock.fastForward(40_000_000)
  expect(await priceOf(page)).toBe('10.00')
})

test('given a visitor who wants less motion, then they move once a minute, without a transition', async () => {
  const page = await openPage('reduce')
  expect(await untilChanged(page)).toBe('32.74')
  await page.clock.runFor(59_000)
  expect(await priceOf(page)).toBe('32.74')
  await page.clock.runFor(1_000)
  expect(await priceOf(page)).toBe('32.68')
  const duration = await page.evaluate("getComputedStyle(document.querySelector('[data-clock]')).transitionDuration")
  expect(duration).toBe('0s')
})
