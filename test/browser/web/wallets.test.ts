import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Actor } from '../../support/actors.ts'
import { openEnvironment } from '../../support/conformance.ts'
import { announceWallet } from './announced-wallet.ts'
import { findViolations, openBrowser } from './open-browser.ts'
import { type ServedPages, servePages } from './served-pages.ts'

const environment = openEnvironment()
const browser = openBrowser()
let real: ServedPages
let local: ServedPages

beforeAll(async () => {
  const { baseUrl, deployment } = inject('conformanceStack')
  const settings = { apiUrl: baseUrl, hasDemoWallets: true }
  real = await servePages({ ...settings, deployment: { ...deployment, local: false } })
  local = await servePages({ ...settings, deployment: { ...deployment, local: true } })
})
afterAll(() => {
  real.stop()
  local.stop()
})

/** Fills the form of a post with a wallet that has announced itself, up to the choice of the wallet. */
async function openWith(actor: Actor, behaviour: Parameters<typeof announceWallet>[2] = {}, { url } = real) {
  // A real chain always has a recent block.
  await environment.chain.request('evm_mine', [])
  const page = await browser.open({ clockAheadMs: Number(await environment.chain.headTime()) * 1000 - Date.now() })
  const wallet = await announceWallet(page, actor, behaviour)
  await page.goto(`${url}/tasks/new`)
  await page.getByLabel('What do you need?').fill('Sign by a wallet')
  await page.getByLabel('Reward in USDC').fill('1')
  await page.getByRole('button', { name: 'Review and sign' }).click()
  return { page, wallet }
}

test('given a local deployment and an announced wallet, then it is neither listed nor asked', async () => {
  const { page, wallet } = await openWith(await environment.aWallet(), {}, local)
  await page.getByRole('button', { name: /^requester/ }).waitFor()
  expect(await page.getByRole('dialog').textContent()).not.toContain('Test Wallet')
  expect(wallet.methods).toEqual([])
})

test('given another deployment, then it serves no demo wallets', async () => {
  const service = await (await fetch(`${local.url}/assets/service.js`)).text()
  const [, path] = /"demoWallets":"([^"]+)"/.exec(service) ?? []
  expect(await (await fetch(`${real.url}/assets/service.js`)).text()).toContain('"demoWallets":null')
  expect((await fetch(`${local.url}${path}`)).status).toBe(200)
  expect((await fetch(`${real.url}${path}`)).status).toBe(404)
})

test('given a wallet on another chain, when it switches, then its node tries the write, it signs what the sheet says and the task is posted', async () => {
  const actor = await environment.aWallet()
  const money = await environment.chain.watch({ actor: actor.address })
  const { page, wallet } = await openWith(actor, {
    chainId: 1,
    addsChain: true,
    readChain: environment.chain.request,
  })
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await page.waitForURL(/\/tasks\/TSK-/)
  expect(wallet.methods).toContain('wallet_addEthereumChain')
  const signature = wallet.methods.findIndex((method) => method.startsWith('eth_signTypedData'))
  expect(wallet.methods.slice(0, signature)).toEqual(expect.arrayContaining(['eth_call', 'eth_simulateV1']))
  expect(await money.changes()).toEqual({ actor: -1_000_000n })
})

test('given a wallet that refuses to switch, then nothing is signed', async () => {
  const { page, wallet } = await openWith(await environment.aWallet(), {
    chainId: 1,
    refuses: 'wallet_switchEthereumChain',
  })
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByText('Nothing was signed.').waitFor()
  expect(wallet.methods.filter((method) => /sign/i.test(method))).toEqual([])
})

test('given a wallet that refuses to sign, then nothing is charged and the form is as it was', async () => {
  const actor = await environment.aWallet()
  const money = await environment.chain.watch({ actor: actor.address })
  const { page } = await openWith(actor, { refuses: 'eth_signTypedData_v4' })
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await page.getByText('Nothing was charged.').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByLabel('What do you need?').inputValue()).toBe('Sign by a wallet')
  expect(await money.changes()).toEqual({ actor: 0n })
})

test('given a wallet that switches its account in the middle, then nothing is signed', async () => {
  const { page, wallet } = await openWith(await environment.aWallet())
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).waitFor()
  await wallet.switchAccount('0x000000000000000000000000000000000000dEaD')
  await page.getByRole('button', { name: 'Post for 1.00 USDC' }).click()
  await page.getByText('has another account now').waitFor()
  expect(wallet.methods).not.toContain('eth_signTypedData_v4')
})
