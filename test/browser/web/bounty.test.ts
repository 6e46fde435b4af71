import { expect, test } from 'vitest'
import { addressOf, connect, openClicking } from './clicking.ts'
import { findViolations } from './open-browser.ts'

const { environment, open, pages } = openClicking()
const [requester, alice] = [addressOf('requester'), addressOf('alice')]

test('given two demo wallets, when they post, deliver and accept by clicking, then the worker is paid, and “My work” on a small screen follows', async () => {
  const { chain } = environment
  const money = await chain.watch({ requester, alice })
  const posting = await open('/tasks/new')
  expect(await findViolations(posting)).toEqual([])
  await posting.getByLabel('What do you need?').fill('Name a <b>cat</b>\n\nIt is grey.')
  await posting.getByLabel('Reward in USDC').fill('4')
  expect(await posting.locator('#price').textContent()).toContain('Worker receives3.70 USDC')
  await posting.getByRole('button', { name: 'Review and sign' }).click()
  await posting.getByRole('button', { name: /^requester/ }).click()
  const post = posting.getByRole('button', { name: 'Post for 4.00 USDC' })
  await post.waitFor()
  expect(await findViolations(posting)).toEqual([])
  await post.click()
  await posting.waitForURL(/\/tasks\/TSK-/)
  const taskUrl = posting.url()
  expect(await posting.getByRole('heading', { level: 1 }).textContent()).toBe('Name a <b>cat</b>')

  // Neither a visitor of the task nor “My work” of its requester is loaded again from here on.
  const watching = await open(taskUrl)
  await posting.setViewportSize({ width: 320, height: 900 })
  await posting.goto(`${pages().url}/me`)
  await posting.getByRole('heading', { name: 'Posted by you' }).waitFor()
  await posting.locator('#my-work a', { hasText: 'Name a' }).first().waitFor()

  const delivering = await open(taskUrl)
  await connect(delivering, 'alice')
  await delivering.getByRole('button', { name: 'Deliver work' }).click()
  const name = '<img src=x onerror=alert(1)>.txt'
  await delivering
    .locator('input[type=file]')
    .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from('Mia') }])
  await delivering.getByRole('button', { name: 'Review' }).click()
  await delivering.getByRole('dialog').getByRole('button', { name: 'Deliver work' }).click()
  await delivering.getByText('Your work is delivered.').waitFor()
  await delivering.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await delivering.getByText(name).waitFor()
  await delivering.getByText('matches the manifest').waitFor()
  await delivering.evaluate('navigator.clipboard.writeText = async (text) => { (window.copied ??= []).push(text) }')
  await delivering.getByRole('button', { name: 'Show' }).click()
  expect(await delivering.locator('pre').textContent()).toBe('Mia')
  await delivering.locator('button.copy', { hasText: 'TSK-' }).first().click()
  await delivering.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await delivering.evaluate('window.copied')).toEqual([taskUrl.split('/').at(-1)])
  expect(await findViolations(delivering)).toEqual([])

  await watching.getByText(name).waitFor()
  await posting.locator('#my-work').getByRole('button', { name: 'Accept and pay' }).waitFor()

  const accepting = await open(taskUrl)
  await connect(accepting, 'requester')
  await accepting.getByRole('button', { name: 'Accept and pay' }).click()
  await accepting.getByRole('button', { name: 'Review' }).click()
  const accept = accepting.getByRole('dialog').getByRole('button', { name: 'Accept and pay (fee 0.001 USDC)' })
  await accept.waitFor()
  expect(await accepting.getByRole('dialog').textContent()).toContain('3.70 USDC')
  await accept.click()
  await accepting.getByText('Accepted and paid.').waitFor()
  await accepting.locator('main .state', { hasText: 'Paid' }).first().waitFor()
  await watching.locator('main .state', { hasText: 'Paid' }).first().waitFor()
  await posting.locator('#my-work').getByRole('button', { name: 'Accept and pay' }).waitFor({ state: 'detached' })
  expect(await findViolations(watching)).toEqual([])
  expect(await findViolations(posting)).toEqual([])
  expect(await posting.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  expect(await money.changes()).toEqual({ requester: -4_001_000n, alice: 3_700_000n })
})

test('given an answer that is lost and a reload, then the page finds what became of the write; no amount stands in the place of a balance that cannot be read', async () => {
  const page = await open('/tasks/new')
  await page.getByLabel('What do you need?').fill('Survive a reload')
  await page.getByLabel('Reward in USDC').fill('1')
  await page.getByRole('button', { name: 'Review and sign' }).click()
  await page.getByRole('button', { name: /^requester/ }).click()
  const { chain } = environment
  const money = await chain.watch({ requester })
  let isLost: (value?: unknown) => void = () => {}
  const lost = new Promise((resolve) => {
    isLost = resolve
  })
  await page.route('**/api/tasks', async (route) => {
    if (route.request().headers()['payment-signature'] === undefined) return await route.continue()
    await route.fetch()
    // It gets no answer. The route stays: to remove it can lose requests that the next page is making.
    isLost()
  })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await lost
  await page.route('**/api/wallet/balance*', (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }))
  await page.goto(`${pages().url}/me`)
  await page.getByText('Posting “Survive a reload”').waitFor()
  await page.getByRole('link', { name: 'Look at it' }).waitFor()
  await page.getByText('What this wallet holds cannot be read now.').waitFor()
  expect(await page.locator('#my-account').textContent()).not.toContain('0.00')
  expect(await money.changes()).toEqual({ requester: -1_000_000n })
  expect(await page.evaluate(() => localStorage.getItem('task-market:open-writes'))).toBeNull()
})
