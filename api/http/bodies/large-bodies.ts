import type { Context, MiddlewareHandler } from 'hono'
import type { ArrivingBytes } from '../../artifacts/byte-accounts.ts'
import type { FileHasher } from '../../artifacts/hashing/file-hashes.ts'
import { createSpool, type OpenAnonymousFile, type Spool } from '../../artifacts/temporary-file.ts'
import { type BodySemaphore, createBodySemaphore, type SlotLimits } from './body-semaphore.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Opens them on first use, because most requests have no body. */
    largeBodies: () => LargeBodies
  }
}

/** The parts of a request that read a large body. */
export interface LargeBodies {
  semaphore: BodySemaphore
  /** The client's name; one client's bodies wait behind those of others. */
  client: string
  hasher: FileHasher
  /** Counts the bytes of this request's body for its client. */
  arriving: ArrivingBytes
  /** The files of this request's body, deleted after its answer. */
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
 * Limits the memory and disk of large bodies. Memory: a body's files go to disk on arrival through a few blocks. So a
 * body holds one of few slots until it has arrived and is hashed; others wait unread in order. The slot is free during
 * the answer, while a submission waits for its transaction. Disk: the files of a request are unlinked and disappear
 * with it; later reads, behind an answer that came too late, fail.
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

/** Returns the large-body parts of a request under `limitLargeBodies`. */
export function largeBodiesOf(c: Context): LargeBodies {
  return c.get('largeBodies')()
}

async function closeBodies(bodies: LargeBodies | null): Promise<void> {
  await bodies?.spool.close()
  await bodies?.arriving.close()
}
