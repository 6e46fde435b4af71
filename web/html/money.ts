import { html } from 'hono/html'
import { amount } from '../words/amount.ts'
import type { Html } from './html.ts'
import { inline } from './text.ts'

/** A token as amounts name it. */
export interface Unit {
  symbol: string
  /** Null: the token does not say it, and amounts are base units. */
  decimals: number | null
}

export const usdc: Unit = { symbol: 'USDC', decimals: 6 }
/** The reward token of the bonus programme. */
export const rewardToken: Unit = { symbol: 'tokens', decimals: 18 }

/** An amount with its unit. Example: `money('40000000')` shows 40.00 USDC. */
export function money(units: string | bigint, unit: Unit = usdc): Html {
  return html`<span class="money">${amount(units, unit.decimals)} <small>${inline(unit.symbol)}</small></span>`
}

/** An amount of a column: the points of all rows stand below each other. */
export function column(units: string | bigint, unit: Unit = usdc): Html {
  const [whole = '', fraction] = amount(units, unit.decimals).split('.')
  if (unit.decimals === null)
    return html`<span class="money long">${whole.split(',').map((part, index) => (index === 0 ? part : html`,<wbr>${part}`))}</span>`
  return html`<span class="money">${whole}<span class="fraction">${fraction === undefined ? '' : `.${fraction}`}</span></span>`
}

/**
 * The largest amount of a token that is near an exact one, for sums of 18 decimals.
 * Example: `24123456789012345678` of 18 decimals is `24.123457`.
 */
export function shortMoney(units: string, unit: Unit): Html {
  const exact = amount(units, unit.decimals)
  const [whole = '', fraction = ''] = exact.split('.')
  const short = fraction.length > 6 ? `${whole}.${fraction.slice(0, 6)}…` : exact
  return html`<span class="money" title="${exact}">${short} <small>${inline(unit.symbol)}</small></span>`
}

/** USDC without the parts of a cent, for totals that nothing is paid from. Example: `178522593` becomes `178520000n`. */
export function wholeCents(units: string | bigint): bigint {
  return (BigInt(units) / 10_000n) * 10_000n
}

/** A total of USDC in whole cents; the exact one is its title. Example: `178522593` shows 178.52 USDC. */
export function total(units: string | bigint): Html {
  return html`<span title="${amount(units, usdc.decimals)}">${money(wholeCents(units))}</span>`
}

/** A part of 10,000. Example: `percent(750)` is `7.5 %`. */
export function percent(bps: number): string {
  return `${Number((bps / 100).toFixed(2))} %`
}

/** A count with its noun. Example: `counted(1, 'entry', 'entries')` is `1 entry`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** A whole number, thousands grouped. */
export function grouped(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
