const DECIMALS = 6

/** Base units to USDC as people write it. Example: `1500000` is `1.5`. */
export function toUsdc(units: bigint | string): string {
  const digits = BigInt(units)
    .toString()
    .padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}
