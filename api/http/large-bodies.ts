import type { Context, MiddlewareHandler } from 'hono'
import { ServiceError } from './service-error.ts'

/** How many large bodies are in memory at once, and how many more may wait. */
const SLOTS = 2
const MAX_WAITING = 64

declare module 'hono' {
  interface ContextVariableMap {
    largeBodySlots: RequestSlots
  }
}

/** One request's claim on the slots for large bodies. */
export interface RequestSlots {
  /** Waits for a slot; it is given back when the request has been answered. */
  take: () => Promise<void>
}

/**
 * Bounds the memory that large bodies take: each holds one of few slots from its second megabyte until its request is
 * answered, and the others wait unread, in their order.
 */
export function limitLargeBodies(): MiddlewareHandler {
  const waiting: (() => void)[] = []
  let free = SLOTS
  const giveBack = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return async (c, next) => {
    let held = 0
    c.set('largeBodySlots', {
      take: async () => {
        if (free > 0) free -= 1
        else if (waiting.length >= MAX_WAITING) throw busy()
        else await new Promise<void>((resolve) => waiting.push(resolve))
        held += 1
      },
    })
    try {
      await next()
    } finally {
      for (; held > 0; held -= 1) giveBack()
    }
  }
}

/** The slots of a request that runs under `limitLargeBodies`. */
export function largeBodySlots(c: Context): RequestSlots {
  return c.get('largeBodySlots')
}

function busy(): ServiceError {
  return new ServiceError(503, 'unclassified', 'Too many large uploads at once; try again shortly.', {
    headers: { 'Retry-After': '10' },
  })
}
