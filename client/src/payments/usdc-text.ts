const DECIMALS = 6

/** Base units to USDC as people write it. Example: `1500000` is `1.5`. */
export function toUsdc(units: bigint | string): string {
  return toDecimal(units, DECIMALS)
}

/** Base units to a decimal number, exactly. Example: `1500` of three decimals is `1.5`. */
export function toDecimal(units: bigint | string, decimals: number): string {
  const digits = BigInt(units)
    .toString()
    .padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(whole.length).replace(/0+$/, '')
  return `${whole}${fraction === '' ? '' : `.${fraction}`}`
}
