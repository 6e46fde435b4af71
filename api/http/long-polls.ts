import type { Context } from 'hono'
import { ServiceError } from '../errors/service-error.ts'

/**
 * The largest numbers of concurrent long polls: `WAITS_OF_CLIENT` for one client, `WAITS_AT_MOST` for the process. They
 * also apply to event streams.
 */
const WAITS_OF_CLIENT = 20
const WAITS_AT_MOST = 10_000

/** Counts and limits the long polls of a process. */
export interface LongPolls {
  /**
   * Registers a long poll.
   * @returns the function that ends the registration
   * @throws ServiceError 429 if the client has too many long polls, 503 if the process has too many
   */
  enter(client: string): () => void
  /** A signal that aborts when all long polls must end. */
  stopping: AbortSignal
  /** Ends all long polls with their current answers, and refuses new long polls. Most of these answers are 304. */
  stop(): void
}

declare module 'hono' {
  interface ContextVariableMap {
    /** The entity tag that the client already has. An answer with the same tag becomes a 304. */
    knownTag: string | undefined
  }
}

/** Makes the answer a 304 if its entity tag is `tag`. */
export function expectOtherTag(c: Context, tag: string): void {
  c.set('knownTag', tag)
}

/** Creates the counter of long polls. */
export function createLongPolls(): LongPolls {
  const stopping = new AbortController()
  const countOf = new Map<string, number>()
  let all = 0
  const leave = (client: string) => {
    const count = (countOf.get(client) ?? 1) - 1
    if (count === 0) countOf.delete(client)
    else countOf.set(client, count)
    all -= 1
  }
  return {
    enter: (client) => {
      if (stopping.signal.aborted || all >= WAITS_AT_MOST)
        throw noPlace('overloaded', 'This process takes no more waits')
      const count = countOf.get(client) ?? 0
      if (count >= WAITS_OF_CLIENT)
        throw noPlace('stream_limit', 'This client has as many requests that wait as one may have')
      countOf.set(client, count + 1)
      all += 1
      return () => leave(client)
    },
    stopping: stopping.signal,
    stop: () => stopping.abort(),
  }
}

function noPlace(detail: 'stream_limit' | 'overloaded', fact: string): ServiceError {
  const status = detail === 'overloaded' ? 503 : 429
  const sentence = `${fact}: ask again without \`wait\`.`
  return new ServiceError(status, 'unclassified', sentence, {
    detail,
    headers: { 'Retry-After': '15' },
    isRefusal: true,
  })
}
