import type { Address, Hex } from 'viem'

const secondsPer = { hours: 3_600, seconds: 1 } as const

/**
 * Converts a window of a request to whole seconds, rounded up, at least one. The noise of binary fractions (a millionth of a
 * second) does not count. Example: `toSeconds(0.0003, 'hours')` is 2.
 */
export function toSeconds(amount: number, unit: keyof typeof secondsPer): number {
  return Math.max(1, Math.ceil(Number((amount * secondsPer[unit]).toFixed(6))))
}

/** Converts a window of hours to whole seconds. Example: `secondsOfHours(0.5)` is 1_800n. */
export function secondsOfHours(hours: number): bigint {
  return BigInt(toSeconds(hours, 'hours'))
}

/**
 * Reads an amount in base units. Example: `toAmount('5000000')` is 5_000_000n.
 * @throws for a text that is more than digits, which the schemas refuse
 */
export function toAmount(text: string): bigint {
  if (/^[0-9]+$/.test(text)) return BigInt(text)
  throw new Error('An amount must be a whole number of base units, as a string of digits.')
}

/** Converts a value that a request may lack. Example: `ifGiven(undefined, toAddress)` is undefined. */
export function ifGiven<Value, Converted>(
  value: Value | undefined,
  convert: (value: Value) => Converted,
): Converted | undefined {
  return value === undefined ? undefined : convert(value)
}

/** Converts an address of any case to lower case, without a check of its checksum. Example: `toAddress('0xAB..')` is `0xab..`. */
export function toAddress(address: string): Address {
  return address.toLowerCase() as Address
}

/** Converts hex of any case to lower case: ids, hashes, signatures. Example: `toBytes('0x9F')` is `0x9f`. */
export function toBytes(hex: string): Hex {
  return hex.toLowerCase() as Hex
}
