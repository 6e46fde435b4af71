import type { Context, MiddlewareHandler } from 'hono'
import type { ArrivingBytes } from '../../artifacts/byte-accounts.ts'
import type { FileHasher } from '../../artifacts/hashing/file-hashes.ts'
import { createSpool, type OpenAnonymousFile, type Spool } from '../../artifacts/temporary-file.ts'
import { type BodySemaphore, createBodySemaphore, type SlotLimits } from './body-semaphore.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Opens them with the first call: most requests have no body. */
    largeBodies: () => LargeBodies
  }
}

/** What one request needs to read a large body. */
export interface LargeBodies {
  semaphore: BodySemaphore
  /** Whose it is: one client's bodies wait behind those of others. */
  client: string
  hasher: FileHasher
  /** Counts the bytes of this request's body for its client. */
  arriving: ArrivingBytes
  /** Where the files of this request's body go; they are gone when it has been answered. */
  spool: Spool
}

export interface LargeBodiesOptions {
  hasher: FileHasher
  openAnonymous: OpenAnonymousFile
  clientIp: (c: Context) => string
  /** Opens the count of a request's bytes. */
  countBytes: (client: string) => ArrivingBytes
  limits?: SlotLimits
}

/**
 * Bounds what large bodies take of this process. Of memory: one body's files go to disk while they arrive, each held by
 * few blocks, so a body holds one of few slots until it is there and hashed, and others wait unread, in their order. A
 * slot is not held through the answer: a submission waits for its transaction with its bytes on disk. Of disk: the
 * files of a request have no name and are gone when it ends, however it ends; what still reads them then, behind an
 * answer that came too late, fails.
 */
export function limitLargeBodies(options: LargeBodiesOptions): MiddlewareHandler {
  const { hasher, openAnonymous, clientIp, countBytes, limits } = options
  const semaphore = createBodySemaphore(limits)
  return async (c, next) => {
    let bodies: LargeBodies | null = null
    let isOver = false
    c.set('largeBodies', () => {
      if (bodies !== null) return bodies
      const client = clientIp(c)
      const [spool, arriving] = [createSpool(openAnonymous), countBytes(client)]
      if (isOver) void spool.close()
      bodies = { semaphore, hasher, spool, client, arriving }
      return bodies
    })
    try {
      await next()
    } finally {
      isOver = true
      await closeBodies(bodies)
    }
  }
}

/** What a request has that runs under `limitLargeBodies`. */
export function largeBodiesOf(c: Context): LargeBodies {
  return c.get('largeBodies')()
}

async function closeBodies(bodies: LargeBodies | null): Promise<void> {
  await bodies?.spool.close()
  await bodies?.arriving.close()
}
