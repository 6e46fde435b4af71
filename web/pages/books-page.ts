import { html } from 'hono/html'
import { type Explorer, shortened } from '../html/address.ts'
import type { Child, Html } from '../html/html.ts'
import { note, type Page, section } from '../html/layout.ts'
import { column, grouped, type Unit, usdc } from '../html/money.ts'
import { at, relative } from '../html/time.ts'
import type { AnswerOf, Reads } from '../http/read.ts'
import { plain } from '../words/text.ts'

type Books = AnswerOf<'/api/books'>
type Contract = Books['assets'][number]['contracts'][number]

const contractNames: Readonly<Record<Contract['name'], string>> = {
  market: 'Market: escrow, stakes and credits',
  forwarder: 'Forwarder: fees of the service and prepaid money',
  bonus_hook: 'Bonus programme',
  vault: 'Vault of a sponsor',
}

/** What the contracts hold beside what the rows say they owe, per asset and contract, with the difference. */
export async function booksPage(reads: Reads, explorer: Explorer): Promise<Page> {
  const [books, network] = await Promise.all([reads.get('/api/books'), reads.get('/api/network')])
  const { now } = reads.head()
  const differing = books.assets.flatMap(({ contracts }) => contracts).filter(({ difference }) => difference !== '0')
  const verdict =
    differing.length === 0
      ? note('open', 'The books close', 'What every contract holds is what the rows owe, to the last unit.')
      : note(
          'bad',
          'The books differ',
          `${differing.length} of the comparisons below have a difference. Operators are told.`,
        )
  return {
    title: 'Books',
    description: 'What the contracts hold, and what they owe: both sides, and their difference.',
    path: '/books',
    section: 'books',
    body: html`<div class="head"><h1>Does the money add up?</h1>
<p class="soft">Every movement of money is a row. What the rows say a contract owes is compared with what the token says it holds, at block ${grouped(books.block)}, ${relative(books.timestamp, now)}.</p></div>
${verdict}
${books.assets.map(({ asset, contracts }) => assetSection(asset, contracts, { explorer, unit: isSame(asset, network.usdcAddress) ? usdc : null }))}
<p><small class="soft">Compared ${at(books.timestamp)}. The same as JSON: <a href="/api/books">/api/books</a>.</small></p>`,
  }
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

interface AssetOptions {
  explorer: Explorer
  /** Null: a token whose decimals the books do not name; amounts are base units. */
  unit: Unit | null
}

function assetSection(asset: string, contracts: readonly Contract[], { explorer, unit }: AssetOptions): Html {
  const name = unit?.symbol ?? `Token ${shortened(asset)}, in base units`
  const shown = unit ?? { symbol: '', decimals: null }
  return section(
    name,
    contracts.map(
      (contract) => html`<h3>${contractNames[contract.name]} <small>${explorer.account(contract.address)}</small></h3>
<div class="scroll" tabindex="0" role="region" aria-label="${contractNames[contract.name]} ${shortened(contract.address)}"><table class="ledger"><thead><tr><th scope="col">Account</th><th scope="col" class="n">Amount</th></tr></thead><tbody>
${contract.accounts.map(({ account, amount }) => html`<tr><td>${plain(account.replaceAll('_', ' '))}</td><td class="n">${column(amount, shown)}</td></tr>`)}
<tr class="sum"><th scope="row">Held, says the token</th><td class="n">${maybe(contract.balance, shown)}</td></tr>
${contract.views.map(({ name: view, amount }) => html`<tr><td>The contract’s own sum <code>${plain(view)}</code></td><td class="n">${maybe(amount, shown)}</td></tr>`)}
<tr class="sum"><th scope="row">Difference</th><td class="n">${contract.difference === '0' ? html`<span class="ok">none</span>` : html`<span class="wrong">${column(contract.difference, shown)}</span>`}</td></tr>
</tbody></table></div>`,
    ),
  )
}

function maybe(amount: string | null, unit: Unit): Child {
  return amount === null ? html`<span class="soft">not read</span>` : column(amount, unit)
}
