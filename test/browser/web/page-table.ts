import type { Page } from 'playwright-core'
import { connect } from './clicking.ts'
import { actors, type HostileMarket } from './hostile-market.ts'
import { hostileName } from './hostile-texts.ts'
import { FAILING, OVERLOADED } from './pages-on-rows.ts'

/** A page of the table in one of its states. */
export interface PageRow {
  /** The route, as `createWeb` registers it; null: no route has it. */
  route: string | null
  state: string
  /** `empty`: of a market without rows; otherwise of one whose every text is hostile. */
  market?: 'empty'
  path(market: HostileMarket): string
  /** 200 unless given. */
  status?: number
  /** Begins of the hostile texts that it shows, so that a test of them is not a test of an empty page. */
  shows?: readonly string[]
  /** Brings the loaded page into the state, by its scripts. */
  open?(page: Page): Promise<void>
}

/** An answer that is no page. `type`: the begin of its media type. */
export interface FileRow extends Omit<PageRow, 'route' | 'open'> {
  route: string
  type: string
}

const search = encodeURIComponent(hostileName('search'))
/** The begin of the same, for parameters of a bounded length. */
const word = encodeURIComponent(hostileName('search').slice(0, 60))
const missingId = `0x${'0f'.repeat(32)}`
const { alice, requester } = actors
const stranger = `0x${'99'.repeat(20)}`

/** Connects a wallet, and opens the form of an act. */
const openForm = (role: 'requester' | 'alice' | 'bob', button: string) => async (page: Page) => {
  await connect(page, role)
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click()
  await page.getByRole('dialog').locator('form').waitFor()
}

const seeWork = (role: 'requester' | 'alice') => async (page: Page) => {
  await connect(page, role)
  await page.getByRole('heading', { name: 'Wallet' }).waitFor()
  await page.getByRole('heading', { name: role === 'alice' ? 'You work on' : 'Posted by you' }).waitFor()
}

/** Every page of the market in each state that looks different. A route of `createWeb` without a row fails a test. */
export const pageRows: readonly PageRow[] = [
  { route: '/', state: 'with tasks', path: () => '/', shows: ['description', 'tag'] },
  { route: '/', state: 'empty', market: 'empty', path: () => '/' },
  { route: '/tasks', state: 'all', path: () => '/tasks?state=all', shows: ['description', 'tag'] },
  { route: '/tasks', state: 'empty', market: 'empty', path: () => '/tasks' },
  { route: '/tasks', state: 'nothing found', path: () => `/tasks?q=${word}`, shows: ['search'] },
  {
    route: '/tasks',
    state: 'refused filters',
    path: () =>
      `/tasks?q=${search}&tags=${search}&minReward=${search}&mode=${search}&state=${search}&requester=${search}`,
    status: 400,
  },
  { route: '/tasks/new', state: 'form', path: () => '/tasks/new' },
  {
    route: '/tasks/:task',
    state: 'open bounty',
    path: ({ tasks }) => tasks.open,
    shows: ['description', 'tag', 'file', 'preview', 'drop name'],
  },
  { route: '/tasks/:task', state: 'paid', path: ({ tasks }) => tasks.paid, shows: ['description', 'feedback'] },
  { route: '/tasks/:task', state: 'pitches', path: ({ tasks }) => tasks.pitch, shows: ['description', 'pitch'] },
  { route: '/tasks/:task', state: 'bids', path: ({ tasks }) => tasks.bids, shows: ['description'] },
  { route: '/tasks/:task', state: 'clock', path: ({ tasks }) => tasks.clock, shows: ['description'] },
  {
    route: '/tasks/:task',
    state: 'benchmark',
    path: ({ tasks }) => tasks.benchmark,
    shows: ['description', 'metric', 'target', 'proof'],
  },
  { route: '/tasks/:task', state: 'review', path: ({ tasks }) => tasks.review, shows: ['description'] },
  { route: '/tasks/:task', state: 'sponsored', path: ({ tasks }) => tasks.sponsored, shows: ['description', 'symbol'] },
  { route: '/tasks/:task', state: 'private', path: ({ tasks }) => tasks.private, status: 404 },
  { route: '/tasks/:task', state: 'unknown', path: () => '/tasks/TSK-ZZZZZZZZ', status: 404 },
  { route: '/tasks/:task', state: 'no code', path: () => `/tasks/${word}`, status: 404 },
  {
    route: '/tasks/:task/files/:artifact',
    state: 'unknown',
    path: ({ tasks }) => `${tasks.open}/files/1`,
    status: 400,
  },
  {
    route: '/tasks/:task/files/:artifact',
    state: 'of no task',
    path: () => `/tasks/${word}/files/1`,
    status: 404,
  },
  {
    route: '/agents/:address',
    state: 'record',
    path: () => `/agents/${alice}`,
    shows: ['description', 'feedback', 'tag'],
  },
  { route: '/agents/:address', state: 'without a record', path: () => `/agents/${stranger}` },
  { route: '/agents/:address', state: 'no address', path: () => `/agents/${word}`, status: 404 },
  {
    route: '/requesters/:address',
    state: 'record',
    path: () => `/requesters/${requester}`,
    shows: ['description', 'tag'],
  },
  { route: '/requesters/:address', state: 'without a record', path: () => `/requesters/${stranger}` },
  { route: '/leaderboard', state: 'ranked', path: () => '/leaderboard', shows: ['tag'] },
  {
    route: '/leaderboard',
    state: 'nothing found',
    path: () => `/leaderboard?skill=${word}&search=${word}`,
    shows: ['search'],
  },
  { route: '/leaderboard', state: 'empty', market: 'empty', path: () => '/leaderboard' },
  { route: '/vaults', state: 'approved ones', path: () => '/vaults', shows: ['token name', 'symbol'] },
  { route: '/vaults', state: 'all', path: () => '/vaults?all=true', shows: ['token name', 'symbol'] },
  { route: '/vaults', state: 'empty', market: 'empty', path: () => '/vaults' },
  { route: '/vaults', state: 'refused cursor', path: () => `/vaults?cursor=${word}`, status: 400 },
  {
    route: '/vaults/:vault',
    state: 'with hostile names',
    path: ({ vault }) => `/vaults/${vault}`,
    shows: ['token name', 'symbol'],
  },
  { route: '/vaults/:vault', state: 'without names', path: ({ unnamedVault }) => `/vaults/${unnamedVault}` },
  { route: '/vaults/:vault', state: 'unknown', path: () => `/vaults/${missingId}`, status: 404 },
  { route: '/drops', state: 'with drops', path: () => '/drops', shows: ['drop name'] },
  { route: '/drops', state: 'empty', market: 'empty', path: () => '/drops' },
  {
    route: '/drops/:drop',
    state: 'with a task',
    path: ({ drop }) => `/drops/${drop}`,
    shows: ['drop name', 'drop text', 'description'],
  },
  {
    route: '/drops/:drop',
    state: 'unknown',
    path: () => '/drops/00000000-0000-4000-8000-000000000000',
    status: 404,
  },
  { route: '/market', state: 'with charts', path: () => '/market' },
  { route: '/market', state: 'empty', market: 'empty', path: () => '/market' },
  { route: '/books', state: 'compared', path: () => '/books' },
  { route: '/books', state: 'movements of a wallet', path: () => `/books?account=${requester}` },
  { route: '/books', state: 'movements of a task', path: ({ tasks }) => `/books?account=${tasks.open.split('/')[2]}` },
  { route: '/books', state: 'refused account', path: () => `/books?account=${search}`, status: 400, shows: ['search'] },
  { route: '/data', state: 'with files', path: () => '/data' },
  { route: '/data', state: 'without files', market: 'empty', path: () => '/data' },
  { route: '/books', state: 'not compared yet', market: 'empty', path: () => '/books', status: 503 },
  { route: '/me', state: 'without a wallet', path: () => '/me' },
  {
    route: '/me',
    state: 'of a requester',
    path: () => '/me',
    shows: ['description'],
    open: seeWork('requester'),
  },
  {
    route: '/me',
    state: 'of a worker',
    path: () => '/me',
    shows: ['description', 'symbol'],
    open: seeWork('alice'),
  },
  {
    route: '/tasks/:task',
    state: 'private, opened by a wallet',
    path: ({ tasks }) => tasks.private,
    status: 404,
    shows: ['description'],
    open: async (page) => {
      await connect(page, 'requester')
      await page.getByRole('button', { name: 'Look with my wallet' }).click()
      await page.getByRole('heading', { name: 'Entries' }).waitFor()
    },
  },
  {
    route: '/tasks/:task',
    state: 'form of a delivery',
    path: ({ tasks }) => tasks.open,
    open: openForm('bob', 'Deliver work'),
  },
  {
    route: '/tasks/:task',
    state: 'form of an acceptance',
    path: ({ tasks }) => tasks.open,
    shows: ['file'],
    open: openForm('requester', 'Accept and pay'),
  },
  {
    route: '/tasks/:task',
    state: 'form of a split',
    path: ({ tasks }) => tasks.open,
    open: openForm('requester', 'Split the reward'),
  },
  {
    route: '/tasks/:task',
    state: 'form of a change',
    path: ({ tasks }) => tasks.open,
    shows: ['description'],
    open: openForm('requester', 'Change this task'),
  },
  {
    route: '/tasks/:task',
    state: 'form of a verdict',
    path: ({ tasks }) => tasks.review,
    open: openForm('bob', 'Give the verdict'),
  },
  { route: '/docs/*', state: 'index', path: () => '/docs' },
  { route: '/docs/*', state: 'tables and code', path: () => '/docs/operate/deploy' },
  { route: '/docs/*', state: 'error', path: () => '/docs/errors/wrong_state' },
  { route: '/docs/*', state: 'unknown', path: () => `/docs/${word}`, status: 404 },
  {
    route: '/docs/*',
    state: 'search results',
    path: () => '/docs/learn',
    open: async (page) => {
      await page.getByRole('searchbox').fill('refund')
      await page.getByRole('heading', { name: 'Search results' }).waitFor()
    },
  },
  { route: '/refused', state: 'asked for by a client', path: () => '/refused', status: 404 },
  {
    route: '/refused',
    state: 'overloaded',
    path: () => `${OVERLOADED}?q=${search}`,
    status: 503,
    shows: ['overloaded'],
  },
  { route: null, state: 'no page', path: () => `/nothing/${word}?q=${search}`, status: 404 },
  { route: null, state: 'failed', path: () => `${FAILING}?q=${search}`, status: 500 },
]

const text = 'text/plain; charset=utf-8'

/** Everything else that routes answer: feeds and what robots read. */
export const fileRows: readonly FileRow[] = [
  {
    route: '/tasks.atom',
    state: 'of all tasks',
    path: () => '/tasks.atom?state=all',
    type: 'application/atom+xml',
    shows: ['description', 'tag'],
  },
  { route: '/tasks.atom', state: 'empty', market: 'empty', path: () => '/tasks.atom', type: 'application/atom+xml' },
  {
    route: '/tasks.atom',
    state: 'of a hostile filter',
    path: () => `/tasks.atom?tags=${word}`,
    type: 'application/atom+xml',
  },
  { route: '/tasks.atom', state: 'refused', path: () => `/tasks.atom?minReward=${search}`, type: text, status: 400 },
  {
    route: '/tasks.json',
    state: 'of all tasks',
    path: () => '/tasks.json?state=all',
    type: 'application/feed+json',
    shows: ['description', 'tag'],
  },
  { route: '/tasks.json', state: 'empty', market: 'empty', path: () => '/tasks.json', type: 'application/feed+json' },
  { route: '/tasks.json', state: 'refused', path: () => `/tasks.json?mode=${search}`, type: text, status: 400 },
  { route: '/docs/search.json', state: 'always', path: () => '/docs/search.json', type: 'application/json' },
  { route: '/robots.txt', state: 'always', path: () => '/robots.txt', type: text },
  { route: '/sitemap.xml', state: 'with tasks', path: () => '/sitemap.xml', type: 'application/xml' },
  { route: '/sitemap.xml', state: 'empty', market: 'empty', path: () => '/sitemap.xml', type: 'application/xml' },
]
