import { createHash, type Hash } from 'node:crypto'
import type { Context } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    bodyDigest: Hash | undefined
  }
}

/** Hashes the bytes of this request's body as they are read, from now on. */
export function digestBody(c: Context): void {
  c.set('bodyDigest', createHash('sha256'))
}

/**
 * SHA-256 of the bytes that were read of the body since `digestBody`, lower-case hex; of no bytes where it was not
 * read.
 */
export function bodySha256Of(c: Context): string {
  return (c.get('bodyDigest') ?? createHash('sha256')).copy().digest('hex')
}
