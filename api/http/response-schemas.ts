import { type Address, getAddress, type Hex } from 'viem'
import { z } from 'zod'

/**
 * The schemas of common parts of answers, and the functions that build these parts. Only the code that converts rows to
 * answers calls the functions.
 */

/** An amount in base units, as a decimal string. */
export const amountOut = z.string().regex(/^[0-9]+$/)

/** An address with its EIP-55 checksum. */
export const addressOut = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** A 32-byte id or hash in lower-case hex. */
export const hashOut = z.string().regex(/^0x[0-9a-f]{64}$/)

/** A point in time in ISO 8601, in UTC with milliseconds. */
export const timestampOut = z.iso.datetime()

/** Returns the checksummed form of a lower-case address. */
export function toAddress(address: Address): string {
  return getAddress(address)
}

/** Returns the checksummed form of a lower-case address, or null for null. */
export function toAddressOrNull(address: Address | null): string | null {
  return address === null ? null : getAddress(address)
}

/** Converts a compressed public key to its form in answers: 66 hex digits without 0x. */
export function toPublicKey(key: Hex): string {
  return key.slice(2)
}

/** Returns base units as a decimal string. */
export function toAmount(baseUnits: bigint): string {
  return baseUnits.toString()
}

/** Returns base units as a decimal string, or null for null. */
export function toAmountOrNull(baseUnits: bigint | null): string | null {
  return baseUnits === null ? null : baseUnits.toString()
}

/** Converts Unix seconds to ISO 8601. Example: `toTimestamp(0n)` returns `'1970-01-01T00:00:00.000Z'`. */
export function toTimestamp(unixSeconds: bigint): string {
  return toTimestampFromMs(unixSeconds * 1000n)
}

/** Converts Unix seconds to ISO 8601, and null to null. */
export function toTimestampOrNull(unixSeconds: bigint | null): string | null {
  return unixSeconds === null ? null : toTimestamp(unixSeconds)
}

/** The last millisecond that a `Date` can represent. The market contract allows later deadlines, up to 2^40 seconds. */
const LAST_MILLISECOND = 8_640_000_000_000_000n

/** Converts Unix milliseconds to ISO 8601. Times after the last `Date` become the last `Date`. */
export function toTimestampFromMs(unixMs: bigint): string {
  return new Date(Number(unixMs < LAST_MILLISECOND ? unixMs : LAST_MILLISECOND)).toISOString()
}
