import { html } from 'hono/html'
import { type Explorer, requesterLink, short } from '../../html/address.ts'
import type { Child, Html } from '../../html/html.ts'
import { note, type Page, section } from '../../html/layout.ts'
import { grouped, money } from '../../html/money.ts'
import { accountUrl, decimalsOf, movementTable, tokenUnit } from '../../html/movements.ts'
import { relative } from '../../html/time.ts'
import { type AnswerOf, ReadProblem, type Reads } from '../../http/read.ts'
import { accountWords } from '../../words/movements.ts'
import { plain } from '../../words/text.ts'
import type { ProblemPage } from '../problem.ts'
import { accountForm } from './account-form.ts'

type Books = AnswerOf<'/api/books'>

/** The number of movements of money that one page lists. */
const PAGE_SIZE = 50

/** The ledger account or the task whose movements a visitor requested. */
interface Asked {
  /** The text that the visitor typed. */
  text: string
  query: { account: string } | { taskId: string }
}

/**
 * Creates the page of one ledger account, or of all ledger accounts of one task. The page shows the balance and the
 * movements, the newest first.
 */
export async function accountPage(
  reads: Reads,
  { searchParams }: URL,
  explorer: Explorer,
): Promise<Page | ProblemPage> {
  const text = searchParams.get('account')?.trim() ?? ''
  const cursor = searchParams.get('cursor') ?? undefined
  const askedAccount = await toAsked(reads, text)
  if (askedAccount === null)
    return refused(text, 'There is no such task, or it is private: its id has 0x and 64 digits.')
  try {
    const query = { ...askedAccount.query, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
    const [books, network] = await Promise.all([reads.get('/api/books', { query }), reads.get('/api/network')])
    return toPage(books, {
      asked: askedAccount,
      cursor,
      explorer,
      usdcAddress: network.usdcAddress,
      now: reads.head().now,
    })
  } catch (error) {
    if (!(error instanceof ReadProblem) || error.status !== 400) throw error
    const isAccount = error.issues.some(({ path }) => path === 'account')
    return refused(
      text,
      isAccount
        ? 'This is no account: type a wallet’s address, a task’s code, service_fees, or an account such as credit:0x….'
        : 'This page of movements does not exist.',
    )
  }
}

/**
 * Converts the visitor's text to a query of the API. A reference code becomes the task's id. Null if no public task has
 * the reference code.
 */
async function toAsked(reads: Reads, text: string): Promise<Asked | null> {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { text, query: { taskId: text.toLowerCase() } }
  if (!/^TSK-[0-9A-Z]{8,52}$/i.test(text)) return { text, query: { account: text } }
  try {
    const task = await reads.get('/api/tasks/{taskId}', { path: { taskId: text.toUpperCase() } })
    return task === null ? null : { text, query: { taskId: task.id } }
  } catch (error) {
    if (error instanceof ReadProblem && error.status === 404) return null
    throw error
  }
}

function refused(text: string, problem: string): ProblemPage {
  return {
    status: 400,
    headers: {},
    page: {
      title: 'Books',
      path: '/books',
      section: 'books',
      isUnlisted: true,
      body: html`<div class="head"><h1>Every movement of money</h1>${accountForm(text, problem)}</div>
<p><a href="/books">Does the money add up?</a></p>`,
    },
  }
}

interface Shown {
  asked: Asked
  cursor: string | undefined
  explorer: Explorer
  usdcAddress: string
  now: number
}

function toPage(books: Books, { asked, cursor, explorer, usdcAddress, now }: Shown): Page {
  const { movements = [], nextCursor = null } = books
  const balances = books.assets.flatMap(({ asset, decimals, contracts }) =>
    contracts.flatMap(({ accounts }) =>
      accounts.map((each) => ({ ...each, unit: tokenUnit(asset, decimals, usdcAddress) })),
    ),
  )
  const ownAccounts =
    'taskId' in asked.query
      ? ['escrow', 'stake'].map((name) => `${name}:${'taskId' in asked.query ? asked.query.taskId : ''}`)
      : [asked.query.account.toLowerCase()]
  const olderLink =
    nextCursor === null
      ? ''
      : html`<a class="button quiet" href="${accountUrl(asked.text, nextCursor)}" rel="next">Older</a>`
  const newestLink =
    cursor === undefined ? '' : html`<a class="button quiet" href="${accountUrl(asked.text)}">Newest</a>`
  return {
    title: 'Movements of money',
    path: accountUrl(asked.text, cursor),
    section: 'books',
    isUnlisted: true,
    body: html`<div class="head"><p class="row soft"><a href="/books">Books</a></p><h1>Every movement of money</h1>
<p class="row">${nameOf(asked)} <span class="soft">at block ${grouped(books.block)}, ${relative(books.timestamp, now)}</span></p>
${accountForm(asked.text)}</div>
${balances.length === 0 ? '' : balanceSection(balances)}
${section(
  'Movements',
  movements.length === 0
    ? note('', 'No movement', 'No money has moved here.')
    : movementTable(movements, {
        explorer,
        own: ownAccounts,
        unit: (row) => tokenUnit(row.asset, decimalsOf(row), usdcAddress),
      }),
  'newest first',
)}
<p class="row">${newestLink} ${olderLink}</p>`,
  }
}

function balanceSection(
  balances: readonly { account: string; amount: string; unit: Parameters<typeof money>[1] }[],
): Html {
  return section(
    'Held now',
    html`<dl class="facts">${balances.map(({ account, amount, unit }) => html`<dt>${accountWords(account)}</dt><dd>${money(amount, unit)}</dd>`)}</dl>`,
    'what came in, less what went out',
  )
}

function nameOf({ text, query }: Asked): Child {
  if ('taskId' in query)
    return html`Task <a href="/tasks/${query.taskId}">${plain(text.length > 40 ? `${text.slice(0, 10)}…` : text.toUpperCase())}</a>`
  const account = query.account.toLowerCase()
  if (/^0x[0-9a-f]{40}$/.test(account)) return requesterLink(account)
  const [, owner] = account.split(':')
  return html`${accountWords(account)}${owner === undefined ? '' : html` ${short(owner)}`}`
}
