import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWeb } from '../../../web/create-web.ts'
import { findViolations, openBrowser, watchProblems } from './open-browser.ts'

const browser = openBrowser()
const server = createAdaptorServer(
  createWeb({
    fetch: () => Response.json({}, { status: 503 }),
    publicUrl: 'https://market.example',
    serviceName: 'service',
    scripts: {
      deployment: { local: false, chainId: 8453, name: 'base' },
      apiUrl: null,
      rpcUrl: 'https://node.example',
      explorerUrl: null,
      hasDemoWallets: false,
    },
  }),
)
let url = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`
})
afterAll(() => server.close())

test('given a keyboard alone, when a reader searches the documentation, then arrows and Enter lead to the section', async () => {
  const page = await browser.open({ width: 320 })
  const problems = await watchProblems(page)
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('wrong_state')
  const first = page.getByRole('link', { name: 'wrong_state', exact: true }).first()
  await first.waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await first.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${url}/errors/wrong_state`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('wrong_state')
  await page.getByRole('searchbox').fill('zzyzx refund')
  await page.getByText('Nothing has all of these words.').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('wrong_state')
  expect(await problems()).toEqual([])
})

test('given no JavaScript, then there is no search, and the index leads to a page', async () => {
  const page = await browser.open({ hasScripts: false })
  await page.goto(url)
  expect(await page.getByRole('searchbox').isVisible()).toBe(false)
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Learn' }).click()
  await page.waitForURL(`${url}/learn`)
})
