import type { Address, Hex } from 'viem'

const secondsPer = { hours: 3_600, seconds: 1 } as const

/** Converts a duration to whole seconds, rounded up, at least 1. Example: `toSeconds(0.0003, 'hours')` is 2. */
export function toSeconds(amount: number, unit: keyof typeof secondsPer): number {
  // Fractions below a millionth of a second come from binary floating point and are ignored.
  return Math.max(1, Math.ceil(Number((amount * secondsPer[unit]).toFixed(6))))
}

/** Converts a duration in hours to whole seconds, rounded up. Example: `secondsOfHours(0.5)` is 1_800n. */
export function secondsOfHours(hours: number): bigint {
  return BigInt(toSeconds(hours, 'hours'))
}

/**
 * Parses an amount in base units. Example: `toAmount('5000000')` is 5_000_000n.
 * @throws if the text contains other characters than digits; the request's schema has already refused such a text
 */
export function toAmount(text: string): bigint {
  if (/^[0-9]+$/.test(text)) return BigInt(text)
  throw new Error('An amount must be a whole number of base units, as a string of digits.')
}

/** Converts an optional value; undefined remains undefined. Example: `ifGiven(undefined, toAddress)` is undefined. */
export function ifGiven<Value, Converted>(
  value: Value | undefined,
  convert: (value: Value) => Converted,
): Converted | undefined {
  return value === undefined ? undefined : convert(value)
}

/** Converts an address to lower case without a check of the checksum. Example: `toAddress('0xAB..')` is `0xab..`. */
export function toAddress(address: string): Address {
  return address.toLowerCase() as Address
}

/** Converts an id, hash or signature in hex to lower case. Example: `toBytes('0x9F')` is `0x9f`. */
export function toBytes(hex: string): Hex {
  return hex.toLowerCase() as Hex
}
