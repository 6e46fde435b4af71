import { createHash, randomBytes } from 'node:crypto'

/**
 * The pattern of a receipt token: 32 random bytes as base64url after a prefix that identifies a token pasted in a wrong
 * place.
 */
const TOKEN = /^legal_[A-Za-z0-9_-]{43}$/

/**
 * Creates a receipt token for an acceptance. It has an effect only together with a payment or signature of the same
 * wallet.
 */
export function createReceiptToken(): string {
  return `legal_${randomBytes(32).toString('base64url')}`
}

/** Returns the stored hash of a token, or null for a text without a token's form. */
export function hashReceiptToken(text: string): Buffer | null {
  return TOKEN.test(text) ? createHash('sha256').update(text).digest() : null
}
