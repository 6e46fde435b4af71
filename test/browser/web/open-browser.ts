import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { CHROMIUM_PACKAGE, findChromium } from '../../../scripts/stack/find-chromium.ts'
import { reportPolicyViolations } from './in-page.mjs'

/** Pages of a browser for a test file; what they report is collected. */
export interface TestBrowser {
  /** A page without anything from another one. @param clockAheadMs how far its clock is ahead of the host's */
  open(options?: { clockAheadMs?: number; width?: number; hasScripts?: boolean }): Promise<Page>
}

/** Starts Debian's chromium for a test file. A page that throws fails its test. */
export function openBrowser(): TestBrowser {
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  const failures: string[] = []
  beforeAll(async () => {
    const executablePath = findChromium()
    if (executablePath === null) throw new Error(`these tests need a browser: apt-get install ${CHROMIUM_PACKAGE}`)
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    const seen = failures.splice(0)
    if (seen.length > 0) throw new Error(`the page failed: ${seen.join('; ')}`)
  })
  afterAll(async () => browser?.close())
  return {
    open: async ({ clockAheadMs = 0, width = 1280, hasScripts = true } = {}) => {
      if (browser === undefined) throw new Error('the browser has not started')
      // axe is put into the page by the driver, past its policy.
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        javaScriptEnabled: hasScripts,
      })
      contexts.push(context)
      await context.addInitScript((ahead) => {
        const hostNow = Date.now
        Date.now = () => hostNow() + ahead
      }, clockAheadMs)
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      page.on('pageerror', ({ message }) => failures.push(message))
      return page
    },
  }
}

/** Ends each stream of a page at once: then it comes to ask for nothing more, which a test can wait for. */
export async function endStreams(page: Page): Promise<void> {
  const isStream = ({ pathname }: URL) => pathname === '/api/events'
  await page.route(isStream, (route) => route.fulfill({ contentType: 'text/event-stream', body: ':\n\n' }))
}

/**
 * Collects what a page reports from now on: errors of its console, violations of its policy, and dialogs that a script opens. The
 * status of the page itself is not one of them.
 * @returns reads what came so far
 */
export async function watchProblems(page: Page): Promise<() => Promise<string[]>> {
  const problems: string[] = []
  page.on('dialog', async (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('console', (message) => {
    const { url } = message.location()
    const isOfPage = url === page.url() && message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isOfPage) problems.push(`console: ${message.text()} ${url}`)
  })
  await page.addInitScript(reportPolicyViolations)
  return async () => {
    // What the page has reported is here when it answers this.
    await page.evaluate('document.readyState')
    return problems
  }
}

/** The violations that axe finds in a page, as `rule: element`. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await checker.run()
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`))
  })
}
