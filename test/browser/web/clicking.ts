import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, vi } from 'vitest'
import { type DevRole, devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { type Environment, openEnvironment } from '../../support/conformance.ts'
import { findViolations, openBrowser, type TestBrowser } from './open-browser.ts'
import { type ServedPages, servePages } from './served-pages.ts'

const roles = ['requester', 'alice', 'bob', 'carol', 'evaluator', 'resolver'] as const
type Role = (typeof roles)[number]

/** An act of a wallet on a page, from its button to its outcome. */
export interface ClickedAct {
  /** The button of the page. */
  button: string
  /** Place among several such buttons; the first unless given. */
  nth?: number
  /** Fills the form; acts without one go to the payment sheet at once. */
  fill?: (dialog: Locator) => Promise<void>
  /** All lines of the payment sheet but that of the wallet itself. */
  sheet: Record<string, string>
  /** The button of the payment sheet. */
  confirm: string
  /** A sentence of the outcome. */
  done: string
  /** Changes of USDC balances from the sheet to the outcome, base units; who is not named has none. */
  money?: Partial<Record<Role | 'feeRecipient', bigint>>
}

/** The demo wallets of a local deployment on its real pages. */
export interface Clicking {
  environment: Environment
  browser: TestBrowser
  pages(): ServedPages
  /** A page with the wallet of a role, which it connects by clicking. */
  visit(role: Role, path: string): Promise<Page>
  /** A page of a visitor, whose clock is the chain's. */
  open(path: string): Promise<Page>
  /** Fills and posts a task; its path. */
  post(form: { title: string; reward: string; fill?: (page: Page) => Promise<void> }): Promise<string>
  /** Takes a wallet through an act, and compares the money on chain. */
  act(role: Role, path: string, act: ClickedAct): Promise<void>
  /** The requester accepts the work of a worker, who receives `net` and the stake; amounts in USDC. */
  accept(
    path: string,
    amounts: { worker: Role; net: string; fee: string; stake?: string; fill?: ClickedAct['fill'] },
  ): Promise<void>
  /** Delivers a text file. */
  deliver(role: Role, path: string, file?: { name: string; text: string }): Promise<void>
  /** The buttons for acts that a wallet sees on a page. */
  buttons(role: Role, path: string): Promise<string[]>
  /** Moves the chain's time on until the service has read it. */
  passHours(hours: number): Promise<void>
}

/** Opens the pages over the shared stack for a test file. */
export function openClicking(): Clicking {
  const environment = openEnvironment()
  const browser = openBrowser()
  const { chain } = environment
  // A test has up to ten acts, of which each waits for its block.
  vi.setConfig({ testTimeout: 300_000 })
  let served: ServedPages | undefined
  const pages = () => served ?? expect.fail('the pages are not served yet')

  beforeAll(async () => {
    const { baseUrl, deployment } = inject('conformanceStack')
    served = await servePages({ apiUrl: baseUrl, deployment: { ...deployment, local: true }, hasDemoWallets: true })
    for (const role of roles) await chain.fund(addressOf(role), 100_000_000n)
  })
  afterAll(() => served?.stop())

  const seats = new Map<Role, { page: Page; clockAheadMs: number }>()
  const visit = async (role: Role, path: string) => {
    const clockAheadMs = Number(await chain.headTime()) * 1000 - Date.now()
    const seat = seats.get(role)
    const url = new URL(path, pages().url).href
    if (seat !== undefined && !seat.page.isClosed() && Math.abs(seat.clockAheadMs - clockAheadMs) < 60_000) {
      await seat.page.goto(url)
      return seat.page
    }
    const page = await browser.open({ clockAheadMs })
    seats.set(role, { page, clockAheadMs })
    await page.goto(url)
    await connect(page, role)
    return page
  }

  const open = async (path: string) => {
    const page = await browser.open({ clockAheadMs: Number(await chain.headTime()) * 1000 - Date.now() })
    await page.goto(new URL(path, pages().url).href)
    return page
  }

  const judged = new Set<string>()
  /** Judges a state of a page once. */
  const judge = async (page: Page, state: string) => {
    if (judged.has(state)) return
    judged.add(state)
    expect(await findViolations(page)).toEqual([])
  }

  const watchMoney = async () => {
    const accounts = [...roles, 'feeRecipient'] as const
    const addresses = Object.fromEntries(accounts.map((role) => [role, addressOf(role)]))
    const money = await chain.watch(addresses)
    return async () => Object.fromEntries(Object.entries(await money.changes()).filter(([, change]) => change !== 0n))
  }

  const actOn = async (page: Page, { button, nth = 0, fill, sheet, confirm, done, money = {} }: ClickedAct) => {
    const changes = await watchMoney()
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).nth(nth).click()
    const dialog = page.getByRole('dialog')
    if (fill !== undefined) {
      await shown(dialog.locator('form'), dialog)
      await judge(page, `form ${button}`)
      await fill(dialog)
      await dialog.getByRole('button', { name: 'Review' }).click()
    }
    const agree = dialog.getByRole('button', { name: confirm, exact: true })
    await shown(agree, dialog)
    await judge(page, `sheet ${button}`)
    const { From: from, ...rows } = await readSheet(dialog)
    expect(from).toMatch(/^0x.{4}….{4} \(Demo wallet /)
    expect(rows).toEqual(sheet)
    expect(await changes()).toEqual({})
    await agree.click()
    await shown(dialog.getByText(done), dialog)
    expect(await changes()).toEqual(money)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  }

  const act = async (role: Role, path: string, clicked: ClickedAct) => {
    const page = await visit(role, path)
    await openPrivate(page)
    await expectOffered(page, environment, role)
    await actOn(page, clicked)
    await expectOffered(page, environment, role)
  }

  return {
    environment,
    browser,
    pages,
    visit,
    open,
    act,
    accept: (path, { worker, net, fee, stake, fill = async () => {} }) =>
      act('requester', path, {
        button: 'Accept and pay',
        fill,
        sheet: {
          'Service fee': '0.001 USDC',
          'Worker receives, out of escrow': `${net} USDC`,
          'Platform fee 7.5 %': `${fee} USDC`,
          ...(stake !== undefined && { 'Stake back to the worker': `${stake} USDC` }),
        },
        confirm: 'Accept and pay (fee 0.001 USDC)',
        done: 'Accepted and paid.',
        money: {
          requester: -1_000n,
          [worker]: toBaseUnits(net) + toBaseUnits(stake ?? '0'),
          feeRecipient: toBaseUnits(fee),
        },
      }),
    post: async ({ title, reward, fill }) => {
      const page = await visit('requester', '/tasks/new')
      const changes = await watchMoney()
      await page.getByLabel('What do you need?').fill(title)
      await page.getByLabel('Reward in USDC').fill(reward)
      await fill?.(page)
      await page.getByRole('button', { name: 'Review and sign' }).click()
      const post = page.getByRole('button', { name: /^Post for/ })
      await post.waitFor()
      await judge(page, 'sheet of a post')
      expect(await post.textContent()).toBe(`Post for ${reward} USDC`)
      await post.click()
      await page.waitForURL(/\/tasks\/(?:TSK-|0x)/)
      expect(await changes()).toEqual({ requester: -toBaseUnits(reward) })
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      return new URL(page.url()).pathname
    },
    deliver: async (role, path, { name, text } = { name: 'work.txt', text: 'Mia' }) => {
      await act(role, path, {
        button: 'Deliver work',
        fill: (dialog) =>
          dialog
            .locator('input[type=file]')
            .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(text) }]),
        sheet: {
          'You pay': 'nothing, or 0.001 USDC once your free entries are used up',
          [name]: expect.stringMatching(/^sha-256 [0-9a-f]{8}…$/),
        },
        confirm: 'Deliver work',
        done: 'Your work is delivered.',
      })
    },
    buttons: async (role, path) => {
      return await visibleActs(await visit(role, path))
    },
    passHours: async (hours) => {
      await chain.passTime(Math.ceil(hours * 3600))
      const time = await chain.headTime()
      await expect
        .poll(async () => {
          const response = await fetch(`${environment.baseUrl}/api/tasks?limit=1`)
          return BigInt(response.headers.get('x-service-block-timestamp') ?? 0)
        })
        .toBeGreaterThanOrEqual(time)
    },
  }
}

/** The address of an account of the local stack. */
export function addressOf(role: DevRole) {
  return devAccount(role).account.address
}

function toBaseUnits(usdc: string): bigint {
  return BigInt(Math.round(Number(usdc) * 1e6))
}

/** Cuts an address as the sheet does. */
export function shortOf(role: DevRole): string {
  const address = addressOf(role)
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

/** Waits for an element. @throws with the text of the dialog that does not have it */
async function shown(element: Locator, dialog: Locator): Promise<void> {
  await element.waitFor().catch(async () => {
    throw new Error(`not in the dialog: ${await dialog.allTextContents()}`)
  })
}

/** Opens a private task with the wallet; a tab with a read identity opens it by itself. */
export async function openPrivate(page: Page): Promise<void> {
  if ((await page.locator('#private-task').count()) === 0) return
  const isIdentified = await page.evaluate(() => Object.keys(sessionStorage).some((name) => name.endsWith(':read')))
  if (!isIdentified) await page.getByRole('button', { name: 'Look with my wallet' }).click()
  await page.getByRole('region', { name: 'Entries' }).waitFor({ state: 'attached' })
}

/** Connects a demo wallet by clicking. */
export async function connect(page: Page, role: Role): Promise<void> {
  await page.locator('[data-connect]').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: new RegExp(`^${role}`) }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** The lines of a payment sheet. */
async function readSheet(dialog: Locator): Promise<Record<string, string>> {
  const [labels, values] = await Promise.all([
    dialog.locator('dl.facts dt').allTextContents(),
    dialog.locator('dl.facts dd').allTextContents(),
  ])
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']))
}

/** The acts whose buttons are shown, by their names, in order of the alphabet. */
async function visibleActs(page: Page): Promise<string[]> {
  const acts = page.getByRole('main').locator('[data-act]:not([hidden] *)')
  return [...new Set(await acts.evaluateAll((all) => all.map((one) => one.getAttribute('data-act') ?? '')))].sort()
}

/** Acts of a requester that no task offers. */
const unoffered = ['object', 'assign_evaluator']

/** Compares the buttons of a task's page with what the service offers that wallet. */
async function expectOffered(page: Page, { baseUrl }: Environment, role: Role): Promise<void> {
  const code = /TSK-[0-9A-Z]+/.exec(page.url())?.[0]
  if (code === undefined) return
  const task = (await (await fetch(`${baseUrl}/api/tasks/${code}`)).json()) as {
    pendingActions: { action: string; eligibleAddress: string | null }[]
  } | null
  if (task === null) return
  const address = addressOf(role).toLowerCase()
  const offered = task.pendingActions
    .filter(({ eligibleAddress }) => eligibleAddress === null || eligibleAddress.toLowerCase() === address)
    .map(({ action }) => action)
  const expected = [...new Set(offered)].sort()
  await expect.poll(async () => (await visibleActs(page)).filter((name) => !unoffered.includes(name))).toEqual(expected)
}
