import { html, raw } from 'hono/html'
import type { Html } from '../../html/html.ts'
import { plain } from '../../words/text.ts'

/**
 * Renders the form in which a visitor enters a wallet, a task or a ledger account. The form opens the page with the
 * movements of money of the entered account or task.
 * @param account the text in the form's field
 * @param problem the reason why the API refused `account`; null if the API did not refuse `account`
 */
export function accountForm(account = '', problem: string | null = null): Html {
  const state = problem === null ? '' : raw(' aria-invalid="true" aria-describedby="wrong-account"')
  const message = problem === null ? '' : html`<span class="wrong" id="wrong-account">${problem}</span>`
  return html`<form class="line" action="/books" method="get" role="search">
<label>Movements of a wallet, a task or an account <input name="account" value="${plain(account)}" placeholder="0x…, TSK-…, service_fees" required${state}>${message}</label>
<button class="button quiet">Show</button></form>`
}
