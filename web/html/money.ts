import { html } from 'hono/html'
import { amount } from '../words/amount.ts'
import type { Html } from './html.ts'
import { inline } from './text.ts'

/** A token in whose units amounts are shown. */
export interface Unit {
  symbol: string
  /**
   * Number of decimals of the token. Null if the token does not report the number: amounts are then shown in base
   * units.
   */
  decimals: number | null
}

export const usdc: Unit = { symbol: 'USDC', decimals: 6 }
/** The reward token of the bonus programme. */
export const rewardToken: Unit = { symbol: 'tokens', decimals: 18 }

/**
 * Renders an amount with its unit. Example: `money('40000000')` shows 40.00 USDC.
 * @param units amount in base units of the token
 */
export function money(units: string | bigint, unit: Unit = usdc): Html {
  return html`<span class="money">${amount(units, unit.decimals)} <small>${inline(unit.symbol)}</small></span>`
}

/**
 * Renders an amount for a column of a table. The decimal points of all rows are aligned.
 * @param units amount in base units of the token
 */
export function column(units: string | bigint, unit: Unit = usdc): Html {
  const [integer = '', fraction] = amount(units, unit.decimals).split('.')
  if (unit.decimals === null)
    return html`<span class="money long">${integer.split(',').map((part, index) => (index === 0 ? part : html`,<wbr>${part}`))}</span>`
  return html`<span class="money">${integer}<span class="fraction">${fraction === undefined ? '' : `.${fraction}`}</span></span>`
}

/**
 * Renders an amount with at most six decimals. An ellipsis replaces further decimals, and the tooltip contains the
 * exact amount. Example: `24123456789012345678` of a token with 18 decimals shows `24.123456…`.
 */
export function shortMoney(units: string, unit: Unit): Html {
  const exactText = amount(units, unit.decimals)
  const [integer = '', fraction = ''] = exactText.split('.')
  const shortText = fraction.length > 6 ? `${integer}.${fraction.slice(0, 6)}…` : exactText
  return html`<span class="money" title="${exactText}">${shortText} <small>${inline(unit.symbol)}</small></span>`
}

/**
 * Rounds an amount of USDC down to whole cents, for totals that are only displayed. Example: `178522593` becomes
 * `178520000n`.
 */
export function wholeCents(units: string | bigint): bigint {
  return (BigInt(units) / 10_000n) * 10_000n
}

/**
 * Renders a total of USDC, rounded down to whole cents. The tooltip contains the exact total. Example: `178522593`
 * shows 178.52 USDC.
 */
export function total(units: string | bigint): Html {
  return html`<span title="${amount(units, usdc.decimals)}">${money(wholeCents(units))}</span>`
}

/** Formats basis points as a percentage. Example: `percent(750)` is `7.5 %`. */
export function percent(bps: number): string {
  return `${Number((bps / 100).toFixed(2))} %`
}

/** Formats a count with its noun. Example: `counted(1, 'entry', 'entries')` is `1 entry`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** Formats a whole number with commas between thousands. Example: `1234567` becomes `1,234,567`. */
export function grouped(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}
