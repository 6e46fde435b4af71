const DECIMALS = 6

/** Formats base units as a decimal number of USDC. Example: `1500000` becomes `1.5`. */
export function toUsdc(units: bigint | string): string {
  return toDecimal(units, DECIMALS)
}

/**
 * Formats an amount in a token's base units as an exact decimal number. Example: `1500` with three decimals becomes
 * `1.5`.
 */
export function toDecimal(units: bigint | string, decimals: number): string {
  const digits = BigInt(units)
    .toString()
    .padStart(decimals + 1, '0')
  const integer = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(integer.length).replace(/0+$/, '')
  return `${integer}${fraction === '' ? '' : `.${fraction}`}`
}
