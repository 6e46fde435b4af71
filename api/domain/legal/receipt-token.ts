import { createHash, randomBytes } from 'node:crypto'

/**
 * The pattern of a receipt token: a prefix and 32 random bytes as base64url. The prefix makes a token recognizable when
 * it is pasted in a wrong place.
 */
const TOKEN = /^legal_[A-Za-z0-9_-]{43}$/

/**
 * Creates a receipt token, which names an acceptance. The token has an effect only together with a payment or signature
 * of the wallet that accepted.
 */
export function createReceiptToken(): string {
  return `legal_${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the hash under which a receipt token is stored, or null for a text that does not have the form of a token.
 */
export function hashReceiptToken(text: string): Buffer | null {
  return TOKEN.test(text) ? createHash('sha256').update(text).digest() : null
}
