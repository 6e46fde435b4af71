const UNIT = 1_000_000n

/** Base units as people write USDC: two decimals, or as many as it has. Example: `40001000` is `40.001`. */
export function usdc(units: bigint | string): string {
  const value = BigInt(units)
  const whole = (value / UNIT).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = (value % UNIT).toString().padStart(6, '0').replace(/0+$/, '').padEnd(2, '0')
  return `${whole}.${fraction}`
}

/** The base units of an amount as a person writes it; null: it is none. Example: `1,200.5` is `1200500000n`. */
export function parseUsdc(text: string): bigint | null {
  const match = /^(\d{1,12}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,6}))?$/.exec(text.trim())
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  return BigInt(whole.replaceAll(',', '')) * UNIT + BigInt(fraction.padEnd(6, '0'))
}

/** The platform's part of a payment and the worker's, by the fee in basis points. */
export function splitFee(gross: bigint, feeBps: number): { fee: bigint; net: bigint } {
  const fee = (gross * BigInt(feeBps)) / 10_000n
  return { fee, net: gross - fee }
}
