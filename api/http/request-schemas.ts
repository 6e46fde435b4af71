import { z } from 'zod'
import { toAddress, toBytes, toSeconds } from '../../protocol/normalise.ts'
import { MAX_SIGNATURE_BYTES } from '../../protocol/text/signature-size.ts'

/** The largest amount in the market contract, which stores amounts as uint96. */
const MAX_BASE_UNITS = 2n ** 96n - 1n
/** The longest time window of a request: ten years of 365 days. */
const MAX_WINDOW_SECONDS = 10 * 365 * 24 * 3600
/** The largest block time in the market contract, which stores times as uint40. */
const MAX_UNIX_SECONDS = 2 ** 40 - 1
/**
 * Characters that cannot be stored or hashed: Postgres text cannot contain NUL, and a lone surrogate has no UTF-8 form.
 */
const UNSTORABLE = /[\0\p{Cs}]/u

/**
 * Returns a schema for text with `min` to `max` Unicode code points. The schema refuses NUL and lone surrogates, and
 * does not change the text.
 */
export function wellFormedText(min: number, max: number) {
  return z
    .string()
    .refine((text) => !UNSTORABLE.test(text), { error: 'must be well-formed text without NUL', abort: true })
    .refine((text) => isLengthBetween(text, min, max), { error: lengthRule(min, max) })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
}

/**
 * Matches a visible letter, digit, punctuation mark or symbol. It does not match default-ignorable characters, or blank
 * characters such as the empty braille cell.
 */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}\u{13441}\u{13442}])[\p{L}\p{N}\p{P}\p{S}]/u

const VISIBLE_RULE = 'must have a visible character: a letter, digit, punctuation mark or symbol'

/**
 * Returns a schema for text that people read. The text must be empty or have a visible character (interface
 * specification, "Windows, cursors, details"). Example: `visibleText(1, 500)` refuses a text of spaces.
 */
export function visibleText(min: number, max: number) {
  return wellFormedText(min, max).refine((text) => text === '' || VISIBLE.test(text), { error: VISIBLE_RULE })
}

/**
 * Returns a schema for a URI of at most `max` code points without spaces. The URI must match `start`, and the rest of
 * the URI must have a visible character. `names`: the words before `URI` in the error message. Example: with `start`
 * `/^https:\/\//` and `names` `an https`, the message is "must be an https URI without spaces".
 */
export function visibleUri(max: number, { start, names }: { start: RegExp; names: string }) {
  return wellFormedText(1, max)
    .refine((text) => start.test(text) && !/\s/.test(text), { error: `must be ${names} URI without spaces` })
    .refine((text) => VISIBLE.test(text.replace(start, '')), { error: VISIBLE_RULE })
}

/**
 * Line separators, control characters and direction marks. With such characters two different names can look the same.
 */
const MISLEADING = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u

/** Returns a schema for names and tags: visible text on one line without misleading characters. */
export function plainName(min: number, max: number) {
  return visibleText(min, max).refine((name) => !MISLEADING.test(name), {
    error: 'must have no line separators, control or direction characters',
  })
}

/**
 * Most schemas below form pairs, such as `addressText` and `address`. The first schema of a pair only checks a value,
 * and its name ends in `Text` or `Number`. The relayed writes use the first schema. The second schema also converts the
 * value. Reads, and changes that need no call on chain, use the second schema.
 */

/** A schema for USDC base units: a decimal string, `^[0-9]+$`, at most uint96. */
export const baseUnitsText = z
  .string()
  .regex(/^[0-9]+$/, { error: 'must be a whole number of base units as a decimal string', abort: true })
  .max(78, { error: 'must have at most 78 digits', abort: true })
  .refine((amount) => BigInt(amount) <= MAX_BASE_UNITS, { error: 'must be at most 2^96 - 1' })

/** A schema that converts USDC base units to a bigint. */
export const baseUnits = baseUnitsText.transform(BigInt)

/** A schema for an address in upper or lower case. */
export const addressText = z.string().regex(/^0x[0-9a-fA-F]{40}$/, { error: 'must be a 0x-prefixed 20-byte address' })

/** A schema that converts an address to lower case. */
export const address = addressText.transform(toAddress)

/** A schema for ids and hashes: 32 bytes of hex in upper or lower case. */
export const bytes32Text = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be a 0x-prefixed 32-byte hex string' })

/** A schema that converts 32 bytes of hex to lower case. */
export const bytes32 = bytes32Text.transform(toBytes)

/**
 * A schema for the salt of a document: 32 nonzero bytes that the caller chooses. The salt is a part of the document, so
 * no reader can guess the document from its hash.
 */
export const documentSaltText = bytes32Text
  .refine((salt) => !/^0x0*$/.test(salt), { error: 'must not be zero' })
  .meta({
    description:
      'Salt of the document whose hash the call carries: 32 random bytes, so that the caller can compute the call. The ' +
      'service chooses one unless given; the same document with the same salt is taken once.',
  })

/** A schema for a time in the form of `Date.prototype.toISOString`. */
export const momentText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, {
    error: 'must be an ISO 8601 time with milliseconds and Z, such as 2026-11-27T12:00:00.000Z',
    abort: true,
  })
  .refine(isMoment, { error: 'must be a date and time that exist' })
  .meta({ format: 'date-time' })

/** Returns a schema for 0x-prefixed hex in upper or lower case: an even number of digits, at most `maxBytes` bytes. */
export function hexText(maxBytes: number) {
  return z
    .string()
    .max(2 + 2 * maxBytes, { error: `must have at most ${maxBytes} bytes`, abort: true })
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, { error: 'must be 0x-prefixed hex of whole bytes' })
}

/** A schema for a signature by an account or a wallet contract. */
export const signatureText = hexText(MAX_SIGNATURE_BYTES)

/** A schema that converts a signature to lower case. */
export const walletSignature = signatureText.transform(toBytes)

/**
 * A schema for the signature field of a paid write: any non-empty text. The signature is not verified, because the
 * payment already proves who acts (specification, "Authentication").
 */
export const unverifiedSignature = z
  .string()
  .min(1, { error: 'must not be empty' })
  .max(2 + 2 * MAX_SIGNATURE_BYTES)
  .meta({ description: 'Must not be empty; not verified, as the payer must be the worker.' })

/** A schema that converts a UUID of any version to lower case. */
export const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, { error: 'must be a UUID' })
  .transform((text) => text.toLowerCase())
  .meta({ format: 'uuid' })

/** The largest uint256: 2^256 - 1. */
const MAX_WORD = 2n ** 256n - 1n
/** The number of decimal digits of `MAX_WORD`. */
const WORD_DIGITS = 78

/** Returns a schema for a whole number as a decimal string: at most `maxDigits` digits, at most the largest uint256. */
export function wholeText(maxDigits = WORD_DIGITS) {
  return z
    .string()
    .max(maxDigits, { error: `must have at most ${maxDigits} digits`, abort: true })
    .regex(/^[0-9]+$/, { error: 'must be a non-negative whole number as a decimal string', abort: true })
    .refine((value) => BigInt(value) <= MAX_WORD, { error: 'must be at most 2^256 - 1' })
}

/** Returns a schema that converts a decimal string, checked as in `wholeText`, to a bigint. */
export function wholeNumber(maxDigits = WORD_DIGITS) {
  return wholeText(maxDigits).transform(BigInt)
}

/** A schema for a share in basis points (hundredths of a percent). */
export const basisPoints = z.int().min(0).max(10_000)

/** A schema for a time window in hours: above zero, at most ten years. */
export const hoursNumber = window('hours', { most: MAX_WINDOW_SECONDS / 3600, unlike: 'seconds' })

/** A schema that converts hours to whole seconds, rounded up. */
export const hours = hoursNumber.transform((amount) => BigInt(toSeconds(amount, 'hours')))

/** A schema for a time window in seconds: above zero, at most ten years. */
export const secondsNumber = window('seconds', { most: MAX_WINDOW_SECONDS, unlike: 'milliseconds' })

/** A schema that rounds seconds up to whole seconds. */
export const seconds = secondsNumber.transform((amount) => BigInt(toSeconds(amount, 'seconds')))

/** A schema for a block time in Unix seconds. */
export const unixSecondsNumber = z.int().min(1).max(MAX_UNIX_SECONDS)

/** A schema that converts a block time to a bigint. */
export const unixSeconds = unixSecondsNumber.transform(BigInt)

function window(unit: 'hours' | 'seconds', { most, unlike }: { most: number; unlike: string }) {
  return z
    .number()
    .gt(0, { error: 'must be more than 0' })
    .max(most, { error: `must be at most ten years, which is ${most}: the unit is ${unit}, not ${unlike}` })
}

/** Returns true if the date and time exist. `Date` alone would read 30 February as 2 March. */
function isMoment(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}

function isLengthBetween(text: string, min: number, max: number): boolean {
  // A code point has one or two UTF-16 units, so far too long texts need no counting.
  if (text.length < min || text.length > 2 * max) return false
  let length = 0
  for (const _ of text) length += 1
  return length >= min && length <= max
}

function lengthRule(min: number, max: number): string {
  return min > 0 ? `must have ${min} to ${max} characters` : `must have at most ${max} characters`
}
