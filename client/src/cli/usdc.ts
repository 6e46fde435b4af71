import { InvalidArgumentError } from 'commander'
import { toDecimal, toUsdc } from '../payments/usdc-text.ts'

const DECIMALS = 6

/**
 * Parses an amount of USDC (`1.5`) to base units (`1500000`).
 * @throws InvalidArgumentError
 */
export function toUnits(text: string): string {
  const [, integer = '', fraction = ''] = /^([0-9]{1,18})(?:\.([0-9]{1,6}))?$/.exec(text) ?? []
  if (integer === '') throw new InvalidArgumentError('An amount of USDC has at most six decimals, such as 1.5.')
  return BigInt(`${integer}${fraction.padEnd(DECIMALS, '0')}`).toString()
}

/**
 * Formats base units of USDC exactly, with at least two decimals. Returns any value that is not an amount as text. For
 * example, `2000000` becomes `2.00` and `1000` becomes `0.001`.
 */
export function showUsdc(units: unknown): string {
  if (typeof units !== 'string' || !/^[0-9]{1,78}$/.test(units)) return String(units ?? '')
  const [integer = '', fraction = ''] = toUsdc(units).split('.')
  return `${integer}.${fraction.padEnd(2, '0')}`
}

/**
 * Formats base units of a token for a list: a decimal number if the token's decimals are available, else an integer
 * followed by `base units`.
 */
export function showUnits(units: unknown, decimals: unknown): string {
  if (typeof units !== 'string' || !/^[0-9]{1,78}$/.test(units)) return String(units ?? '')
  const isKnown = Number.isSafeInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 77
  return isKnown ? toDecimal(units, Number(decimals)) : `${units} base units`
}
