import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { withTimeout } from '../../concurrency/with-timeout.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { incomplete } from './arriving-body.ts'
import { liftBodyDeadline } from './body-deadline.ts'

/** The slowest rate at which a request's body may arrive. */
export interface MinimumRate {
  /**
   * The number of bytes that must arrive in each `stallMs` milliseconds of waiting for the client. The time of writing
   * to disk does not count.
   */
  stallBytes: number
  stallMs: number
  /** The time in milliseconds within which the whole body must arrive, even at a sufficient rate. */
  limitMs: number
}

/**
 * Extends the time limit of the answer by `milliseconds`, and removes the deadline of the request's body. Repeated
 * extensions do not add up.
 */
export function allowSlowBody(c: Context, milliseconds: number): void {
  c.get('answerLimit').extend(milliseconds)
  // In-process calls have no connection.
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (incoming !== undefined) liftBodyDeadline(incoming)
}

/**
 * Yields the chunks of a body. If the consumer stops early, the body is cancelled.
 * @throws ServiceError 408 if the body is slower than the rate or exceeds `limitMs`, 400 if the body is incomplete
 */
export async function* arriveSteadily(
  body: ReadableStream<Uint8Array> | null,
  { stallBytes, stallMs, limitMs }: MinimumRate,
): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  const end = performance.now() + limitMs
  let waitedMs = 0
  let arrivedBytes = 0
  try {
    for (;;) {
      const askedAt = performance.now()
      const [patienceMs, leftMs] = [stallMs - waitedMs, end - askedAt]
      const next = await withTimeout(readNext(reader), Math.min(patienceMs, leftMs))
      if (next === null) throw tooSlow(leftMs < patienceMs ? 'took too long to come whole' : 'came too slowly')
      if (next.value === undefined) return
      waitedMs += performance.now() - askedAt
      arrivedBytes += next.value.length
      if (arrivedBytes >= stallBytes) [waitedMs, arrivedBytes] = [0, 0]
      yield next.value
    }
  } finally {
    // A failed or ended stream rejects the cancellation, which needs no handling.
    await reader.cancel().catch(() => undefined)
  }
}

async function readNext(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (error) {
    throw incomplete(error)
  }
}

function tooSlow(what: string): ServiceError {
  return new ServiceError(408, 'unclassified', `The body ${what}; nothing was kept.`, { detail: 'body_too_slow' })
}
