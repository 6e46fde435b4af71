import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openEnvironment } from '../../support/conformance.ts'
import { type AnnouncedTestWallet, announceWallet } from './announced-wallet.ts'
import { openBrowser } from './open-browser.ts'
import { type ServedPages, servePages } from './served-pages.ts'

const environment = openEnvironment()
const browser = openBrowser()
let pages: ServedPages

beforeAll(async () => {
  const { baseUrl, deployment } = inject('conformanceStack')
  pages = await servePages({ apiUrl: baseUrl, deployment: { ...deployment, local: false }, hasDemoWallets: false })
})
afterAll(() => pages.stop())

async function openPosting(title: string, behaviour: Parameters<typeof announceWallet>[2] = {}) {
  const actor = await environment.aWallet()
  const money = await environment.chain.watch({ actor: actor.address })
  const page = await browser.open({ clockAheadMs: Number(await environment.chain.headTime()) * 1000 - Date.now() })
  const wallet = await announceWallet(page, actor, behaviour)
  await page.goto(`${pages.url}/tasks/new`)
  await page.getByLabel('What do you need?').fill(title)
  await page.getByLabel('Reward in USDC').fill('1')
  await page.getByRole('button', { name: 'Review and sign' }).click()
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).waitFor()
  return { page, wallet, money }
}

/** Connects another account of the wallet by clicking. */
async function connectAs(page: Page, wallet: AnnouncedTestWallet, address: string): Promise<void> {
  await wallet.switchAccount(address)
  await page.locator('[data-connect]').click()
  await page.getByRole('button', { name: 'Switch' }).click()
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const isPaid = (route: Route) => route.request().headers()['payment-signature'] !== undefined
const noOpenWrites = (page: Page) => page.evaluate(() => localStorage.getItem('task-market:open-writes'))

test('given a reload before the sheet is agreed to, then the form is as it was and nothing was kept', async () => {
  const { page, money } = await openPosting('Reload the form')
  await page.reload()
  expect(await page.getByLabel('What do you need?').inputValue()).toBe('Reload the form')
  expect(await noOpenWrites(page)).toBeNull()
  expect(await money.changes()).toEqual({ actor: 0n })
})

test('given a reload while the wallet waits for its owner, then “Send it again” asks for the same payment and posts once', async () => {
  const { page, wallet, money } = await openPosting('Reload before signing', { isLate: true })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await expect.poll(() => wallet.methods).toContain('eth_signTypedData_v4')
  await page.reload()
  await page.getByText('The service has not received it.').waitFor()
  expect(await page.locator('.open-writes dl').textContent()).toContain('Into escrow, on chain1.00 USDC')
  expect(await money.changes()).toEqual({ actor: 0n })
  wallet.signNow()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await page.getByRole('link', { name: 'Look at it' }).waitFor()
  expect(await money.changes()).toEqual({ actor: -1_000_000n })
  expect(await noOpenWrites(page)).toBeNull()
})

test('given a reload with a wallet that is on another chain by then, then it is asked to switch only by a click', async () => {
  const { page, wallet } = await openPosting('Reload on another chain', { chainId: 1, isLate: true })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await expect.poll(() => wallet.methods).toContain('eth_signTypedData_v4')
  const before = wallet.methods.length
  await page.reload()
  const lookUp = page.getByRole('button', { name: 'Look it up' })
  await lookUp.waitFor()
  expect(wallet.methods.slice(before)).not.toContain('wallet_switchEthereumChain')
  await lookUp.click()
  await page.getByText('The service has not received it.').waitFor()
  expect(wallet.methods.slice(before)).toContain('wallet_switchEthereumChain')
})

test('given a reload while the wallet waits, when another account is connected, then its wallet is not asked to pay, and the line is for the first one alone', async () => {
  const { page, wallet, money } = await openPosting('Reload and switch', { isLate: true })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await expect.poll(() => wallet.methods).toContain('eth_signTypedData_v4')
  await page.reload()
  const again = page.getByRole('button', { name: 'Send it again' })
  await again.waitFor()
  const asked = wallet.methods.length
  await connectAs(page, wallet, '0x000000000000000000000000000000000000dEaD')
  await page.getByText(/^Connect 0x.* to see what became of it/).waitFor()
  expect(await again.count()).toBe(0)
  expect(wallet.methods.slice(asked)).not.toContain('eth_signTypedData_v4')
  expect(await money.changes()).toEqual({ actor: 0n })
})

test('given a write that did not reach the service and cannot any more, when it is sent again, then the payment sheet says first what it takes', async () => {
  const { page, wallet, money } = await openPosting('Never arrived', { isLate: true })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await expect.poll(() => wallet.methods).toContain('eth_signTypedData_v4')
  // The journal is gone, as after an import of the wallet into another browser: it knows of no payment.
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage)) if (!/session|open-writes/.test(name)) localStorage.removeItem(name)
  })
  await page.reload()
  await page.getByText('It did not reach the service').waitFor()
  const asked = wallet.methods.length
  await page.getByRole('button', { name: 'Send it again' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send it again for 1.00 USDC' }).waitFor()
  expect(wallet.methods.slice(asked)).not.toContain('eth_signTypedData_v4')
  wallet.signNow()
  await dialog.getByRole('button', { name: 'Send it again for 1.00 USDC' }).click()
  await page.waitForURL(/\/tasks\/(?:TSK-|0x)/)
  expect(await money.changes()).toEqual({ actor: -1_000_000n })
})

test('given a reload while the paid request has not left, then “Send it again” sends the same payment, once', async () => {
  const { page, money } = await openPosting('Reload before sending')
  let hold = () => {}
  const isHeld = new Promise<void>((resolve) => {
    hold = resolve
  })
  let count = 0
  await page.route('**/api/tasks', async (route) => {
    if (!isPaid(route) || count > 0) return await route.continue()
    count += 1
    // It is never sent: the reload ends it.
    hold()
  })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await isHeld
  await page.reload()
  await page.getByText('The service has not received it.').waitFor()
  expect(await money.changes()).toEqual({ actor: 0n })
  await page.getByRole('button', { name: 'Send it again' }).click()
  await page.getByRole('link', { name: 'Look at it' }).waitFor()
  expect(await money.changes()).toEqual({ actor: -1_000_000n })
  expect(await noOpenWrites(page)).toBeNull()
})

test('given an answer to the paid request that is lost, then the write goes on and is paid once', async () => {
  const { page, money } = await openPosting('Answered in vain')
  let count = 0
  await page.route('**/api/tasks', async (route) => {
    if (!isPaid(route) || count > 0) return await route.continue()
    count += 1
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await page.waitForURL(/\/tasks\/TSK-/, { timeout: 60_000 })
  expect(await money.changes()).toEqual({ actor: -1_000_000n })
})

test('given a wallet that signs late, then the sheet waits for it and posts', async () => {
  const { page, wallet, money } = await openPosting('Signed late', { isLate: true })
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await page.getByText('Waiting for you to sign in your wallet…').waitFor()
  wallet.signNow()
  await page.waitForURL(/\/tasks\/TSK-/)
  expect(await money.changes()).toEqual({ actor: -1_000_000n })
})
