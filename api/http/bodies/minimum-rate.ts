import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { withTimeout } from '../../concurrency/with-timeout.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { incomplete } from './arriving-body.ts'
import { liftBodyDeadline } from './body-deadline.ts'

/** How slow a body may come. */
export interface MinimumRate {
  /** So many bytes must come in `stallMs` of waiting for the client; the disk's own time does not count. */
  stallBytes: number
  stallMs: number
  /** However steadily it comes, it ends by then, milliseconds. */
  limitMs: number
}

/** Gives a body more time than the server gives to others, and the answer as long after it as any answer has. */
export function allowSlowBody(c: Context, milliseconds: number): void {
  c.get('answerLimit').extend(milliseconds)
  // In-process calls have no connection.
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (incoming !== undefined) liftBodyDeadline(incoming)
}

/**
 * A body's chunks as they come; leaving early stops the reading.
 * @throws ServiceError 408 when they come slower than the rate, 400 when the body breaks off
 */
export async function* arriveSteadily(
  body: ReadableStream<Uint8Array> | null,
  { stallBytes, stallMs, limitMs }: MinimumRate,
): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  const end = performance.now() + limitMs
  let waitedMs = 0
  let came = 0
  try {
    for (;;) {
      const asked = performance.now()
      const [patienceMs, leftMs] = [stallMs - waitedMs, end - asked]
      const next = await withTimeout(readNext(reader), Math.min(patienceMs, leftMs))
      if (next === null) throw tooSlow(leftMs < patienceMs ? 'took too long to come whole' : 'came too slowly')
      if (next.value === undefined) return
      waitedMs += performance.now() - asked
      came += next.value.length
      if (came >= stallBytes) [waitedMs, came] = [0, 0]
      yield next.value
    }
  } finally {
    // What has failed or ended cannot be cancelled, and need not be.
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
