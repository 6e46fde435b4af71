import { type Address, getAddress, type Hex } from 'viem'
import { z } from 'zod'

/** Schemas of what answers are made of, and the functions that make it. Only mappers call them. */

/** An amount in base units as a decimal string. */
export const amountOut = z.string().regex(/^[0-9]+$/)

/** An address with its EIP-55 checksum. */
export const addressOut = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** A 32-byte id or hash, lower case. */
export const hashOut = z.string().regex(/^0x[0-9a-f]{64}$/)

/** A point in time, ISO 8601 in UTC with milliseconds. */
export const timestampOut = z.iso.datetime()

/** Checksummed form of a lower-case address. */
export function toAddress(address: Address): string {
  return getAddress(address)
}

/** Checksummed form, or null. */
export function toAddressOrNull(address: Address | null): string | null {
  return address === null ? null : getAddress(address)
}

/** A published key as clients see it: 66 hex digits without 0x. */
export function toPublicKey(key: Hex): string {
  return key.slice(2)
}

/** Base units as a decimal string. */
export function toAmount(baseUnits: bigint): string {
  return baseUnits.toString()
}

/** Base units as a decimal string, or null. */
export function toAmountOrNull(baseUnits: bigint | null): string | null {
  return baseUnits === null ? null : baseUnits.toString()
}

/** ISO 8601 from Unix seconds. */
export function toTimestamp(unixSeconds: bigint): string {
  return toTimestampFromMs(unixSeconds * 1000n)
}

/** ISO 8601 from Unix seconds, or null. */
export function toTimestampOrNull(unixSeconds: bigint | null): string | null {
  return unixSeconds === null ? null : toTimestamp(unixSeconds)
}

/** The last millisecond a date can hold: a deadline is capped by the market at 2^40 seconds, beyond it. */
const LAST_MILLISECOND = 8_640_000_000_000_000n

/** ISO 8601 from Unix milliseconds. */
export function toTimestampFromMs(unixMs: bigint): string {
  return new Date(Number(unixMs < LAST_MILLISECOND ? unixMs : LAST_MILLISECOND)).toISOString()
}
