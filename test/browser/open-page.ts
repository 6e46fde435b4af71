import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../../ops/process/child.ts'
import { CHROMIUM_PACKAGE, findChromium } from '../../scripts/stack/find-chromium.ts'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The report of a page: its log, or its failure. */
export type PageReport = { logged: unknown } | { failed: string }

/**
 * Opens a page with a script in Debian's chromium, from an origin of its own, and waits for its first report.
 * @param options `clockAheadMs`: how far the page's clock is ahead of the host's
 */
export async function openPage(script: string, { clockAheadMs = 0 } = {}): Promise<PageReport> {
  const chromium = findChromium()
  if (chromium === null) throw new Error(`these tests need a browser: apt-get install ${CHROMIUM_PACKAGE}`)
  let resolve: (report: PageReport) => void = () => {}
  const firstReport = new Promise<PageReport>((fulfil) => {
    resolve = fulfil
  })
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') resolve(JSON.parse(await readText(request)) as PageReport)
    const [type, text] =
      request.url === '/'
        ? ['text/html', '<!doctype html><script type="module" src="/page.js"></script>']
        : ['text/javascript', script]
    response
      .writeHead(200, { 'Content-Type': type })
      .end(request.url === '/page.js' ? reporting(clockAheadMs) + text : text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const profile = mkdtempSync(join(tmpdir(), 'task-market-browser-'))
  const child = await startChild({
    name: 'chromium',
    command: chromium,
    args: [...FLAGS, `--user-data-dir=${profile}`, `http://localhost:${(server.address() as AddressInfo).port}/`],
    cwd: profile,
    env: { PATH: process.env.PATH, HOME: profile },
    logFile: join(profile, 'chromium.log'),
    stopSignal: 'SIGTERM',
    temporaryDirectory: profile,
  })
  try {
    return await firstReport
  } finally {
    await child.stop()
    server.closeAllConnections()
    server.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Sends what the script logs, and what it fails with, to the page's own server. */
function reporting(clockAheadMs: number): string {
  return `
const report = (body) => fetch('/report', { method: 'POST', body: JSON.stringify(body) })
const hostNow = Date.now
Date.now = () => hostNow() + ${clockAheadMs}
console.log = (logged) => report({ logged })
addEventListener('error', ({ message }) => report({ failed: message }))
addEventListener('unhandledrejection', ({ reason }) => report({ failed: String(reason) }))
`
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
