import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes as base64url after a name that tells what has been pasted where. */
const TOKEN = /^legal_[A-Za-z0-9_-]{43}$/

/** What a wallet gets for its acceptance: worth something only together with that wallet's own payment or signature. */
export function createReceiptToken(): string {
  return `legal_${randomBytes(32).toString('base64url')}`
}

/** What is kept of a token; null for a text that no token looks like. */
export function hashReceiptToken(text: string): Buffer | null {
  return TOKEN.test(text) ? createHash('sha256').update(text).digest() : null
}
