import type { Context, MiddlewareHandler } from 'hono'
import type { FileHasher } from '../../artifacts/hashing/file-hashes.ts'
import { createSpool, type OpenAnonymousFile, type Spool } from '../../artifacts/temporary-file.ts'
import { type BodySemaphore, createBodySemaphore, type SlotLimits } from './body-semaphore.ts'

declare module 'hono' {
  interface ContextVariableMap {
    largeBodies: LargeBodies
  }
}

/** What one request needs to read a large body. */
export interface LargeBodies {
  semaphore: BodySemaphore
  /** Whose it is: one client's bodies wait behind those of others. */
  client: string
  hasher: FileHasher
  /** Where the files of this request's body go; they are gone when it has been answered. */
  spool: Spool
}

export interface LargeBodiesOptions {
  hasher: FileHasher
  openAnonymous: OpenAnonymousFile
  clientIp: (c: Context) => string
  limits?: SlotLimits
}

/**
 * Bounds what large bodies take of this process. Of memory: one body's files go to disk while they arrive, each held by
 * few blocks, so a body holds one of few slots until it is there and hashed, and others wait unread, in their order. A
 * slot is not held through the answer: a submission waits for its transaction with its bytes on disk. Of disk: the
 * files of a request have no name and are gone when it ends, however it ends; what still reads them then, behind an
 * answer that came too late, fails.
 */
export function limitLargeBodies({ hasher, openAnonymous, clientIp, limits }: LargeBodiesOptions): MiddlewareHandler {
  const semaphore = createBodySemaphore(limits)
  return async (c, next) => {
    const spool = createSpool(openAnonymous)
    c.set('largeBodies', { semaphore, hasher, spool, client: clientIp(c) })
    try {
      await next()
    } finally {
      await spool.close()
    }
  }
}

/** What a request has that runs under `limitLargeBodies`. */
export function largeBodiesOf(c: Context): LargeBodies {
  return c.get('largeBodies')
}
