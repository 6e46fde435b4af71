import { html } from 'hono/html'
import { amount } from '../words/amount.ts'
import type { Html } from './html.ts'
import { inline } from './text.ts'

/** A token in amounts. */
export interface Unit {
  symbol: string
  /** Decimals of the token; null: the token reports none, and amounts are base units. */
  decimals: number | null
}

export const usdc: Unit = { symbol: 'USDC', decimals: 6 }
/** The reward token of the bonus programme. */
export const rewardToken: Unit = { symbol: 'tokens', decimals: 18 }

/** An amount with its unit. Example: `money('40000000')` shows 40.00 USDC. */
export function money(units: string | bigint, unit: Unit = usdc): Html {
  return html`<span class="money">${amount(units, unit.decimals)} <small>${inline(unit.symbol)}</small></span>`
}

/** An amount in a column: the decimal points of all rows are aligned. */
export function column(units: string | bigint, unit: Unit = usdc): Html {
  const [whole = '', fraction] = amount(units, unit.decimals).split('.')
  if (unit.decimals === null)
    return html`<span class="money long">${whole.split(',').map((part, index) => (index === 0 ? part : html`,<wbr>${part}`))}</span>`
  return html`<span class="money">${whole}<span class="fraction">${fraction === undefined ? '' : `.${fraction}`}</span></span>`
}

/**
 * Renders an amount of a token cut after six decimals, for sums of 18 decimals. Its title is the exact amount.
 * Example: `24123456789012345678` of 18 decimals shows `24.123456…`.
 */
export function shortMoney(units: string, unit: Unit): Html {
  const exact = amount(units, unit.decimals)
  const [whole = '', fraction = ''] = exact.split('.')
  const short = fraction.length > 6 ? `${whole}.${fraction.slice(0, 6)}…` : exact
  return html`<span class="money" title="${exact}">${short} <small>${inline(unit.symbol)}</small></span>`
}

/** Returns USDC without the parts of a cent, for totals that pay nothing. Example: `178522593` becomes `178520000n`. */
export function wholeCents(units: string | bigint): bigint {
  return (BigInt(units) / 10_000n) * 10_000n
}

/** Renders a total of USDC in whole cents; its title is the exact total. Example: `178522593` shows 178.52 USDC. */
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
