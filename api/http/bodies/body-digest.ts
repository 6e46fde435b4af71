import { createHash, type Hash } from 'node:crypto'
import type { Context } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    bodyDigest: Hash | undefined
  }
}

/** Starts hashing the bytes of this request's body as they are read. */
export function digestBody(c: Context): void {
  c.set('bodyDigest', createHash('sha256'))
}

/** Returns the SHA-256 of the bytes read since `digestBody`, lower-case hex; that of no bytes for an unread body. */
export function bodySha256Of(c: Context): string {
  return (c.get('bodyDigest') ?? createHash('sha256')).copy().digest('hex')
}
