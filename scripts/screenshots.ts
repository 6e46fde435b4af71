/**
 * `npm run screenshots`: takes pictures of the pages of a running stack with Debian's chromium, and writes them into
 * `docs/images/`.
 *
 *   npm run screenshots -- --url http://127.0.0.1:3001         pages at another address than the local stack's
 *   npm run screenshots -- --out /tmp/pages --all              every page, three widths, both themes; also checks each
 *   npm run screenshots -- --only '^list'                      pictures whose name matches
 *
 * With `--all` it also prints the findings of axe (a checker of accessibility), and the pages that scroll sideways. If
 * there are any, the exit code is 1.
 */

import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { repositoryRoot } from '../ops/process/paths.ts'
import { readOptions } from '../ops/process/read-options.ts'
import { CHROMIUM_PACKAGE, findChromium } from './stack/find-chromium.ts'

const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

interface Picture {
  name: string
  path: string
  width: number
  theme: Theme
}

const { values } = readOptions({
  options: {
    url: { type: 'string' },
    out: { type: 'string' },
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const url = values.url ?? stackUrl()
const folder = values.out ?? join(repositoryRoot, 'docs', 'images')
mkdirSync(folder, { recursive: true })
const paths = await listPaths()
const pictures = (values.all ? everyPicture(paths) : documented(paths)).filter(
  ({ name }) => values.only === undefined || new RegExp(values.only).test(name),
)
const program = findChromium()
if (program === null) throw new Error(`pictures need a browser: apt-get install ${CHROMIUM_PACKAGE}`)
const browser = await chromium.launch({ executablePath: program, args: flags })
const findings: string[] = []
try {
  for (const picture of pictures) findings.push(...(await take(browser, picture)))
} finally {
  await browser.close()
}
console.log(`${pictures.length} pictures in ${folder}`)
for (const finding of findings) console.error(finding)
if (findings.length > 0) process.exitCode = 1

function stackUrl(): string {
  const file = join(repositoryRoot, '.local', 'stack.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { urls: { api: string } }).urls.api
}

/** Returns the paths of the pages, by name. The paths contain tasks and accounts that the service has now. */
async function listPaths(): Promise<Record<string, string>> {
  const pathOf = (task: { referenceCode: string } | undefined) =>
    task === undefined ? '/tasks' : `/tasks/${task.referenceCode}`
  const { tasks } = await read<{ tasks: DemoTask[] }>('/api/tasks?limit=100')
  const ofStatus = (status: string) => tasks.find((task) => task.status === status)
  const busiestTask = tasks.toSorted((a, b) => b.submissionCount - a.submissionCount)[0]
  const [bestAgent] = await read<{ address: string }[]>('/api/agents/leaderboard?limit=1')
  const { vaults } = await read<{ vaults: { vaultId: string }[] }>('/api/sponsored-task-vaults?includeUnverified=true')
  const { taskDrops } = await read<{ taskDrops: { id: string }[] }>('/api/task-drops')
  return {
    home: '/',
    list: '/tasks?state=all',
    open: '/tasks',
    filtered: '/tasks?minReward=lots&mode=bounty',
    empty: '/tasks?tags=nothing-has-this-tag',
    task: pathOf(busiestTask),
    paid: pathOf(ofStatus('completed')),
    review: pathOf(ofStatus('review') ?? ofStatus('appealing')),
    clock: pathOf(tasks.find(({ currentAuctionPrice }) => currentAuctionPrice !== null)),
    pitch: pathOf(tasks.find(({ mode }) => mode === 'pitch')),
    bids: pathOf(tasks.find(({ auctionType }) => auctionType === 'english' || auctionType === 'reverse_english')),
    missing: '/tasks/TSK-ZZZZZZZZ',
    new: '/tasks/new',
    leaderboard: '/leaderboard',
    agent: `/agents/${bestAgent?.address}`,
    requester: `/requesters/${tasks[0]?.requester}`,
    market: '/market',
    books: '/books',
    movements: '/books?account=service_fees',
    data: '/data',
    vaults: '/vaults',
    vault: `/vaults/${vaults[0]?.vaultId}`,
    drops: '/drops',
    ...(taskDrops[0] !== undefined && { drop: `/drops/${taskDrops[0].id}` }),
    me: '/me',
    docs: '/docs',
    document: '/docs/operate/deploy',
    error: '/docs/errors/wrong_state',
  }
}

interface DemoTask {
  referenceCode: string
  requester: string
  status: string
  mode: string
  auctionType: string | null
  currentAuctionPrice: string | null
  submissionCount: number
}

async function read<Answer>(path: string): Promise<Answer> {
  return (await (await fetch(`${stackUrl()}${path}`)).json()) as Answer
}

/** Returns the pictures that the documents show. */
function documented(all: Record<string, string>): Picture[] {
  const picture = (name: string, width: number, theme: Theme): Picture[] => {
    const path = all[name]
    return path === undefined ? [] : [{ name: `${name}-${width === 390 ? 'phone-' : ''}${theme}`, path, width, theme }]
  }
  return ['list', 'task', 'new', 'market'].flatMap((name) => [
    ...picture(name, 1280, 'light'),
    ...picture(name, 1280, 'dark'),
    ...picture(name, 390, 'light'),
  ])
}

function everyPicture(all: Record<string, string>): Picture[] {
  return Object.entries(all).flatMap(([name, path]) =>
    [320, 768, 1600].flatMap((width) =>
      themes.map((theme) => ({ name: `${name}-${width}-${theme}`, path, width, theme })),
    ),
  )
}

/** Takes a picture of a page. With `--all`, also checks the page. */
async function take(from: Browser, { name, path, width, theme }: Picture): Promise<string[]> {
  const context = await from.newContext({
    viewport: { width, height: values.all ? 900 : 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    await page.goto(`${url}${path}`, { waitUntil: 'networkidle' })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: values.all })
    return values.all ? await judge(page, `${name} ${path}`) : []
  } finally {
    await context.close()
  }
}

async function judge(page: Page, name: string): Promise<string[]> {
  // The policy of the page admits no script of others: this one comes by the debugger.
  await page.evaluate(readFileSync(axeFile, 'utf8'))
  const violations = (await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).join(" | ")))',
  )) as string[]
  const isWide = (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean
  return [...violations.map((text) => `${name}: ${text}`), ...(isWide ? [`${name}: scrolls sideways`] : [])]
}
