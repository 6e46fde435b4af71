import { createHash, randomBytes } from 'node:crypto'

/**
 * The pattern of a receipt token: a prefix and 32 random bytes as base64url. A reader recognises a token by the prefix.
 */
const TOKEN = /^legal_[A-Za-z0-9_-]{43}$/

/**
 * Creates a receipt token for an acceptance. The service accepts the token only with a payment or signature of the
 * wallet that accepted.
 */
export function createReceiptToken(): string {
  return `legal_${randomBytes(32).toString('base64url')}`
}

/** Returns the hash under which a receipt token is stored. Returns null if the text is not in the form of a token. */
export function hashReceiptToken(text: string): Buffer | null {
  return TOKEN.test(text) ? createHash('sha256').update(text).digest() : null
}
