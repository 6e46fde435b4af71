import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { CHROMIUM_PACKAGE, findChromium } from '../../../scripts/stack/find-chromium.ts'
import { medianOf } from '../figures/statistics.ts'

/** The first load of a page with nothing kept from before. */
export interface FirstLoad {
  /** Largest contentful paint, milliseconds from the start of the navigation. */
  lcp: number
  /** Bytes of bodies as they came over the wire: all, and scripts. */
  bytes: number
  scriptBytes: number
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error(`the benchmark needs a browser: apt-get install ${CHROMIUM_PACKAGE}`)
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

/** Loads a page in a context of its own. */
export async function loadFirst(browser: Browser, url: string): Promise<FirstLoad> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await page.goto(url, { waitUntil: 'networkidle' })
    const lcp = await readLcp(page)
    const scripts = requests.filter((request) => request.url().endsWith('.js'))
    return { lcp, bytes: await bytesOf(requests), scriptBytes: await bytesOf(scripts) }
  } finally {
    await context.close()
  }
}

/** The last candidate that the browser reports: nothing paints once the network is idle. */
async function readLcp(page: Page): Promise<number> {
  return await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? NaN))
      .observe({ type: 'largest-contentful-paint', buffered: true })
  })`)
}

async function bytesOf(requests: readonly Request[]): Promise<number> {
  const sizes = await Promise.all(requests.map((request) => request.sizes()))
  return sizes.reduce((total, { responseBodySize }) => total + responseBodySize, 0)
}

/** First loads of two URLs in turn, the order alternating. */
export async function alternateLoads(
  browser: Browser,
  { own, other, count }: { own: string; other: string; count: number },
): Promise<{ own: FirstLoad[]; other: FirstLoad[] }> {
  const loads = { own: [] as FirstLoad[], other: [] as FirstLoad[] }
  const urls = { own, other }
  for (const url of [own, other]) await loadFirst(browser, url)
  for (let round = 0; round < count; round += 1) {
    for (const name of round % 2 === 0 ? (['own', 'other'] as const) : (['other', 'own'] as const)) {
      loads[name].push(await loadFirst(browser, urls[name]))
    }
  }
  return loads
}

export function medianLcp(loads: readonly FirstLoad[]): number {
  return medianOf(loads.map(({ lcp }) => lcp))
}
