import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addressOf, openClicking } from './clicking.ts'
import { readFocus, readMotion } from './in-page.mjs'
import { endStreams } from './open-browser.ts'

/** Nothing of a page is further away than this by the Tab key. */
const MOST_TABS = 90

const { environment, browser, pages } = openClicking()

/** A page for a person without a pointer who wants less motion. */
async function open(path: string): Promise<Page> {
  const page = await browser.open({ clockAheadMs: Number(await environment.chain.headTime()) * 1000 - Date.now() })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await endStreams(page)
  await page.goto(new URL(path, pages().url).href)
  await page.waitForLoadState('networkidle')
  return page
}

/** Tabs on until the element of a name has the focus. Each element on the way must be seen and have an outline. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const path: string[] = []
  for (let count = 0; count < MOST_TABS; count += 1) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(readFocus)
    if (focus === null) continue
    path.push(focus.name.slice(0, 40))
    expect(focus, path.join(' | ')).toMatchObject({ isSeen: true, hasOutline: true })
    if (typeof name === 'string' ? focus.name === name : name.test(focus.name)) return
  }
  expect.fail(`${name} is not reached by the Tab key, but ${path.join(' | ')}`)
}

const nameOfFocus = async (page: Page) => (await page.evaluate(readFocus))?.name ?? ''

async function press(page: Page, name: string | RegExp, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

/** Waits until the dialog offers a button. */
async function awaitButton(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).waitFor()
}

test('given a keyboard alone, when a bounty is posted, delivered to and accepted, then the worker is paid', async () => {
  const money = await environment.chain.watch({ requester: addressOf('requester'), alice: addressOf('alice') })
  const posting = await open('/tasks')
  await press(posting, 'Skip to content')
  await posting.keyboard.press('Tab')
  expect(await nameOfFocus(posting)).toBe('Open')
  await press(posting, 'Post a task')
  await posting.waitForURL(/\/tasks\/new$/)
  await tabTo(posting, /^Bounty/)
  // Arrows choose among the modes, and back.
  await posting.keyboard.press('ArrowDown')
  expect(await nameOfFocus(posting)).not.toMatch(/^Bounty/)
  await posting.keyboard.press('ArrowUp')
  expect(await nameOfFocus(posting)).toMatch(/^Bounty/)
  await tabTo(posting, /^What do you need/)
  await posting.keyboard.type('Name a cat without a mouse')
  await tabTo(posting, 'Reward in USDC')
  await posting.keyboard.type('4')
  await tabTo(posting, /^Open for/)
  await posting.keyboard.press('ArrowDown')
  await press(posting, 'Review and sign')
  await awaitButton(posting, /^requester/)
  await press(posting, /^requester/, 'Space')
  await awaitButton(posting, 'Post for 4.00 USDC')
  // The sheet has the focus on its button, and Escape leaves it without a payment.
  expect(await nameOfFocus(posting)).toBe('Post for 4.00 USDC')
  await posting.keyboard.press('Escape')
  await posting.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await nameOfFocus(posting)).toBe('Review and sign')
  await posting.keyboard.press('Enter')
  await awaitButton(posting, 'Post for 4.00 USDC')
  await posting.keyboard.press('Enter')
  await posting.waitForURL(/\/tasks\/TSK-/)
  const path = new URL(posting.url()).pathname

  const delivering = await open(path)
  await press(delivering, 'Deliver work')
  await awaitButton(delivering, /^alice/)
  await press(delivering, /^alice/)
  await awaitButton(delivering, 'Review')
  const choosing = delivering.waitForEvent('filechooser')
  await press(delivering, /^Files/, 'Space')
  const chooser = await choosing
  await chooser.setFiles([{ name: 'cat.txt', mimeType: 'text/plain', buffer: Buffer.from('Mia') }])
  await press(delivering, 'Review')
  await awaitButton(delivering, 'Deliver work')
  await delivering.keyboard.press('Enter')
  await delivering.getByText('Your work is delivered.').waitFor()
  expect(await nameOfFocus(delivering)).toBe('Close')
  await delivering.keyboard.press('Enter')
  await delivering.getByText('matches the manifest').waitFor()
  // The button that was pressed is gone: the Tab key goes on at the content, not at the begin of the page.
  expect(await delivering.evaluate('document.activeElement.id')).toBe('main')
  await press(delivering, 'Show')
  expect(await delivering.locator('pre.shown').textContent()).toBe('Mia')

  const accepting = await open(path)
  await press(accepting, 'Connect')
  await awaitButton(accepting, /^requester/)
  await press(accepting, /^requester/)
  await accepting.getByRole('dialog').waitFor({ state: 'detached' })
  await press(accepting, 'Accept and pay')
  await awaitButton(accepting, 'Review')
  await press(accepting, 'Review')
  await awaitButton(accepting, 'Accept and pay (fee 0.001 USDC)')
  await accepting.keyboard.press('Enter')
  await accepting.getByText('Accepted and paid.').waitFor()
  await accepting.keyboard.press('Enter')
  await accepting.getByRole('dialog').waitFor({ state: 'detached' })
  await accepting.locator('main .state', { hasText: 'Paid' }).first().waitFor()
  expect(await money.changes()).toEqual({ requester: -4_001_000n, alice: 3_700_000n })
})

test('given a visitor who wants less motion, then nothing moves on the pages and in a dialog', async () => {
  for (const path of ['/', '/tasks', '/tasks/new', '/market', '/me']) {
    const page = await open(path)
    expect(await page.evaluate(readMotion)).toEqual([])
    await page.locator('[data-connect]').click()
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate(readMotion)).toEqual([])
    await page.close()
  }
})
