/** Number of decimals of USDC. */
const USDC_DECIMALS = 6

/**
 * Formats the exact amount with at least two decimals, and with commas between thousands.
 * Example: `1204500000` with six decimals is `1,204.50`, and `1000` is `0.001`.
 * @param units amount in base units
 * @param decimals number of decimals of the token; null if the token does not report it, in which case the base units
 * are shown
 */
export function amount(units: string | bigint, decimals: number | null): string {
  const value = BigInt(units)
  const digits = (value < 0n ? -value : value).toString().padStart((decimals ?? 0) + 1, '0')
  const places = decimals ?? 0
  const integer = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',')
  const sign = value < 0n ? '−' : ''
  if (places === 0) return sign + integer
  const fraction = digits
    .slice(digits.length - places)
    .replace(/0+$/, '')
    .padEnd(Math.min(2, places), '0')
  return `${sign}${integer}.${fraction}`
}

/** Formats an amount of USDC. Example: `40001000` base units are `40.001`. */
export function usdcText(units: string | bigint): string {
  return amount(units, USDC_DECIMALS)
}

/**
 * Parses an amount of USDC as a person types it, and returns the amount in base units. Returns null if the text is not
 * an amount. Example: `1,200.5` becomes `1200500000n`.
 */
export function parseUsdc(text: string): bigint | null {
  const match = /^(\d{1,18}|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,6}))?$/.exec(text.trim())
  if (match === null) return null
  const [, integer = '', fraction = ''] = match
  return BigInt(integer.replaceAll(',', '') + fraction.padEnd(USDC_DECIMALS, '0'))
}
