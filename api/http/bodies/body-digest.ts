import { createHash, type Hash } from 'node:crypto'
import type { Context } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    bodyDigest: Hash | undefined
  }
}

/** Starts to hash the bytes of this request's body while they are read. */
export function digestBody(c: Context): void {
  c.set('bodyDigest', createHash('sha256'))
}

/**
 * Returns the SHA-256 of the body bytes that were read since `digestBody`, in lower-case hex. If no byte was read,
 * returns the hash of an empty text.
 */
export function bodySha256Of(c: Context): string {
  return (c.get('bodyDigest') ?? createHash('sha256')).copy().digest('hex')
}
