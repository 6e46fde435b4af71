import type { Context, MiddlewareHandler } from 'hono'
import type { ArrivingBytes } from '../../artifacts/byte-accounts.ts'
import type { FileHasher } from '../../artifacts/hashing/file-hashes.ts'
import { createSpool, type OpenAnonymousFile, type Spool } from '../../artifacts/temporary-file.ts'
import { type BodySemaphore, createBodySemaphore, type SlotLimits } from './body-semaphore.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /**
     * Returns the objects that read this request's large body. They are created at the first call, because most
     * requests have no body.
     */
    largeBodies: () => LargeBodies
  }
}

/** The objects with which one request reads its large body. */
export interface LargeBodies {
  semaphore: BodySemaphore
  /** The client's IP address. The semaphore prefers bodies of clients that hold no slot. */
  client: string
  hasher: FileHasher
  /** Counts the received bytes of this request's body for the client's quota. */
  arriving: ArrivingBytes
  /** The temporary files that contain parts of this request's body. They are deleted after the answer. */
  spool: Spool
}

export interface LargeBodiesOptions {
  hasher: FileHasher
  openAnonymous: OpenAnonymousFile
  clientIp: (c: Context) => string
  /**
   * Returns a new counter of the bytes that a client sends in one request. The bytes count toward the client's quota.
   */
  countBytes: (client: string) => ArrivingBytes
  limits?: SlotLimits
}

/**
 * Creates the middleware that limits the memory and disk space of large bodies.
 * - Memory: long texts are written to disk while the body arrives. Only a few bodies are received and hashed at the
 * same time: each occupies a slot, and further bodies wait for a slot.
 * - Disk: the files have no name in the file system and are removed when the request ends.
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
      const [spool, arrivingBytes] = [createSpool(openAnonymous), countBytes(client)]
      if (isOver) void spool.close()
      bodies = { semaphore, hasher, spool, client, arriving: arrivingBytes }
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

/** Returns the `LargeBodies` of a request. The route must use `limitLargeBodies`. */
export function largeBodiesOf(c: Context): LargeBodies {
  return c.get('largeBodies')()
}

async function closeBodies(bodies: LargeBodies | null): Promise<void> {
  await bodies?.spool.close()
  await bodies?.arriving.close()
}
