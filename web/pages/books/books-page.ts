import { html } from 'hono/html'
import { type Explorer, shortened } from '../../html/address.ts'
import type { Child, Html } from '../../html/html.ts'
import { note, type Page, section } from '../../html/layout.ts'
import { column, counted, grouped, type Unit, usdc } from '../../html/money.ts'
import { accountUrl, tokenUnit } from '../../html/movements.ts'
import { at, relative } from '../../html/time.ts'
import type { AnswerOf, Reads } from '../../http/read.ts'
import { accountWords } from '../../words/movements.ts'
import { plain } from '../../words/text.ts'
import { accountForm } from './account-form.ts'

type Books = AnswerOf<'/api/books'>
type Contract = Books['assets'][number]['contracts'][number]

const contractNames: Readonly<Record<Contract['name'], string>> = {
  market: 'Market contract: rewards and stakes',
  forwarder: 'Payment contract: fees of the service',
  bonus_hook: 'Bonus programme',
  vault: 'Vault of a sponsor',
}

/**
 * Creates the page that compares each contract's balance with the amount that the contract owes according to the
 * database. The page has one table for each asset and contract.
 */
export async function booksPage(reads: Reads, explorer: Explorer): Promise<Page> {
  const [books, network] = await Promise.all([reads.get('/api/books'), reads.get('/api/network')])
  const { now } = reads.head()
  const differingContracts = books.assets
    .flatMap(({ contracts }) => contracts)
    .filter(({ difference }) => difference !== '0')
  const verdict =
    differingContracts.length === 0
      ? note('open', 'The books balance', 'Every contract holds what it owes, to the last unit.')
      : note(
          'bad',
          'The books differ',
          `${counted(differingContracts.length, 'contract')} below ${differingContracts.length === 1 ? 'has' : 'have'} a difference. The operators have been told; nothing for you to do.`,
        )
  return {
    title: 'Books',
    description: 'What the contracts hold, and what they owe: both sides, and their difference.',
    path: '/books',
    section: 'books',
    body: html`<div class="head"><h1>Does the money add up?</h1>
<p class="soft">This service writes down every movement of money. Here its sums are compared with what each contract holds on the chain, at block ${grouped(books.block)}, ${relative(books.timestamp, now)}.</p></div>
${verdict}
${accountForm()}
${books.assets.map(({ asset, decimals, contracts }) => assetSection(asset, contracts, { explorer, unit: tokenUnit(asset, decimals, network.usdcAddress) }))}
<p><small class="soft">Compared ${at(books.timestamp)}. The same as JSON: <a href="/api/books">/api/books</a>.</small></p>`,
  }
}

interface AssetOptions {
  explorer: Explorer
  unit: Unit
}

function assetSection(asset: string, contracts: readonly Contract[], { explorer, unit }: AssetOptions): Html {
  const name = html`${unit === usdc ? unit.symbol : html`Token ${explorer.account(asset)}`}`
  const about =
    unit.decimals === null ? 'in base units: the smallest parts of the token, as its decimals are not known' : null
  return section(
    name,
    contracts.map(
      (contract) => html`<h3>${contractNames[contract.name]} <small>${explorer.account(contract.address)}</small></h3>
<div class="scroll" tabindex="0" role="region" aria-label="${contractNames[contract.name]} ${shortened(contract.address)}"><table class="ledger"><thead><tr><th scope="col">What</th><th scope="col" class="n">${unit.decimals === null ? 'Base units' : 'Amount'}</th></tr></thead><tbody>
${flowRows(contract, unit)}
${contract.accounts.map(({ account, amount }) => html`<tr><td>${accountName(account)}</td><td class="n">${column(amount, unit)}</td></tr>`)}
<tr class="sum"><th scope="row">Owed in all</th><td class="n">${owed(contract, unit)}</td></tr>
<tr class="sum"><th scope="row">Held on the chain</th><td class="n">${maybe(contract.balance, unit)}</td></tr>
${contract.views.map(({ name: view, amount }) => html`<tr><td><small class="soft">The contract’s own count, <code>${plain(view)}</code></small></td><td class="n">${maybe(amount, unit)}</td></tr>`)}
<tr class="sum"><th scope="row">Difference</th><td class="n">${contract.difference === '0' ? html`<span class="ok">none</span>` : html`<span class="wrong">${column(contract.difference, unit)}</span>`}</td></tr>
</tbody></table></div>`,
    ),
    about,
  )
}

/**
 * Renders the name of a class of ledger accounts. The name links to the movements if the class has only one account.
 */
function accountName(account: string): Child {
  if (account !== 'service_fees' && account !== 'bonus_reserve') return accountWords(account)
  return html`<a href="${accountUrl(account)}">${accountWords(account)}</a>`
}

/** Renders two table rows: the sum of all money that moved into a contract, and the sum of all that moved out. */
function flowRows({ inflow, outflow }: Contract, unit: Unit): Child {
  return [
    ['Came in, in all', inflow],
    ['Went out, in all', outflow],
  ].map(
    ([name, amount]) =>
      html`<tr><td><small class="soft">${name}</small></td><td class="n">${maybe(amount ?? null, unit)}</td></tr>`,
  )
}

function owed({ accounts }: Contract, unit: Unit): Child {
  if (accounts.length === 0) return html`<span class="soft">not counted yet</span>`
  return column(
    accounts.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    unit,
  )
}

function maybe(amount: string | null, unit: Unit): Child {
  return amount === null ? html`<span class="soft">not read yet</span>` : column(amount, unit)
}
