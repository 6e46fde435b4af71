import { html } from 'hono/html'
import type { AnswerOf } from '../http/read.ts'
import { accountWords, movementWords } from '../words/movements.ts'
import { agentLink, type Explorer, short, shortened } from './address.ts'
import type { Child, Html } from './html.ts'
import { column, money, type Unit, usdc } from './money.ts'
import { inline } from './text.ts'
import { at } from './time.ts'

/** A movement of money, as `/api/books` returns it. */
export type Movement = NonNullable<AnswerOf<'/api/books'>['movements']>[number]

/** Options of a table of movements. */
interface MovementOptions {
  explorer: Explorer
  /**
   * The token of the amounts. If it is a value, all amounts have this token, and the head of the table names it once.
   * If it is a function, it returns the token of a movement, and the token is shown beside each amount.
   */
  unit: Unit | ((movement: Movement) => Unit)
  /**
   * Ledger accounts that the table is about. An amount that leaves one of them is shown with a minus. Default: none.
   */
  own?: readonly string[]
}

/** Renders a table of movements with the time, both accounts and the transaction of each. */
export function movementTable(rows: readonly Movement[], options: MovementOptions): Html {
  const { explorer, unit } = options
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Movements"><table><thead><tr><th scope="col">What</th><th scope="col" class="n">${typeof unit === 'function' ? 'Amount' : inline(unit.symbol)}</th><th scope="col" class="wide">From</th><th scope="col" class="wide">To</th><th scope="col">Transaction</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><td>${movementWords[row.kind]}${row.taskId === null ? '' : html` (<a href="/tasks/${row.taskId}">see it</a>)`}<br><small class="soft">${at(row.timestamp)}</small></td><td class="n">${amountOf(row, options)}</td><td class="wide">${accountLink(row.from)}</td><td class="wide">${accountLink(row.to)}</td><td>${explorer.transaction(row.transactionHash)}</td></tr>`,
  )}</tbody></table></div>`
}

function amountOf(row: Movement, { unit, own = [] }: MovementOptions): Html {
  const isOut = own.includes(row.from) && !own.includes(row.to)
  return html`${isOut ? '−' : ''}${typeof unit === 'function' ? money(row.amount, unit(row)) : column(row.amount, unit)}`
}

/**
 * Returns a token as a unit for amounts. The symbol of USDC is its name. The symbol of any other token is `Token` and
 * its shortened address.
 */
export function tokenUnit(asset: string, decimals: number | null, usdcAddress: string): Unit {
  if (asset.toLowerCase() === usdcAddress.toLowerCase()) return usdc
  return { symbol: `Token ${shortened(asset)}`, decimals }
}

/**
 * Computes a token's number of decimals from a movement's amount in base units and in whole tokens. Returns null if the
 * token does not report its decimals.
 * Example: `1500000` and `1.5` give 6.
 */
export function decimalsOf({ amount, amountUnits }: Pick<Movement, 'amount' | 'amountUnits'>): number | null {
  if (amountUnits === null) return null
  const [integer = '', fraction = ''] = amountUnits.split('.')
  const digits = BigInt(integer + fraction)
  return digits === 0n ? 0 : fraction.length + String(BigInt(amount) / digits).length - 1
}

/** Renders a ledger account as a link: to the page of a wallet, or to the movements of any other account. */
export function accountLink(account: string): Child {
  if (/^0x[0-9a-f]{40}$/.test(account)) return agentLink(account)
  const [, owner] = account.split(':')
  return html`<small><a href="${accountUrl(account)}">${accountWords(account)}</a>${owner === undefined ? '' : html` ${short(owner)}`}</small>`
}

/** Returns the path of the page with a ledger account's movements. Example: `/books?account=credit%3A0x15d3…`. */
export function accountUrl(account: string, cursor?: string): string {
  return `/books?${new URLSearchParams({ account, ...(cursor !== undefined && { cursor }) }).toString()}`
}
