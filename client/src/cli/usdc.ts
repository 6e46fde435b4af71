import { InvalidArgumentError } from 'commander'
import { toDecimal, toUsdc } from '../payments/usdc-text.ts'

const DECIMALS = 6

/** USDC as people write it (`1.5`) to base units. @throws InvalidArgumentError */
export function toUnits(text: string): string {
  const [, whole = '', fraction = ''] = /^([0-9]{1,18})(?:\.([0-9]{1,6}))?$/.exec(text) ?? []
  if (whole === '') throw new InvalidArgumentError('An amount of USDC has at most six decimals, such as 1.5.')
  return BigInt(`${whole}${fraction.padEnd(DECIMALS, '0')}`).toString()
}

/**
 * Base units to USDC for a list: two decimals, and more only where two would show another amount.
 * Example: `2000000` is `2.00`, `1000` is `0.001`.
 * @returns the value as it is where it is no amount
 */
export function showUsdc(units: unknown): string {
  if (typeof units !== 'string' || !/^[0-9]{1,78}$/.test(units)) return String(units ?? '')
  const [whole = '', fraction = ''] = toUsdc(units).split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

/** Base units of a token for a list: a decimal number where its decimals are known, else with the words. */
export function showUnits(units: unknown, decimals: unknown): string {
  if (typeof units !== 'string' || !/^[0-9]{1,78}$/.test(units)) return String(units ?? '')
  const isKnown = Number.isSafeInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 77
  return isKnown ? toDecimal(units, Number(decimals)) : `${units} base units`
}
