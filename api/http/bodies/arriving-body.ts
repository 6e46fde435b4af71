import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import type { ThroughputMeter } from './throughput-meter.ts'

/**
 * The size limit of a JSON body, in bytes, unless the route sets a higher limit. On a route with a higher limit, a body
 * above this size is a large body.
 */
export const DEFAULT_BODY_LIMIT_BYTES = 1_000_000

export interface Arrival {
  limitBytes: number
  /** Measures the time that the service waits for bytes of the client. */
  meter?: ThroughputMeter
  /** A signal that ends the reading. The read then throws the reason of the signal. */
  cut?: AbortSignal
}

/**
 * Yields the chunks of a request's body and counts the received bytes. The length in the headers is not trusted. If the
 * consumer stops early, the body is cancelled.
 * @param arrival.cut a signal that ends the reading; the function then throws the abort reason of the signal
 * @throws ServiceError 413 if the body is too long, 400 if the body is incomplete
 */
export async function* arrivingBody(c: Context, { limitBytes, meter, cut }: Arrival): AsyncGenerator<Buffer> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = c.req.raw.body?.getReader()
  // A failed or ended stream rejects the cancellation, which needs no handling.
  const leave = () => void reader?.cancel().catch(() => undefined)
  cut?.addEventListener('abort', leave, { once: true })
  let length = 0
  try {
    for (;;) {
      cut?.throwIfAborted()
      meter?.wait()
      const next = await reader?.read().catch((error) => {
        throw incomplete(error)
      })
      meter?.came(next?.value?.length ?? 0)
      cut?.throwIfAborted()
      if (next?.value === undefined) return
      length += next.value.length
      if (length > limitBytes) throw tooLarge(limitBytes)
      c.get('bodyDigest')?.update(next.value)
      yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length)
    }
  } finally {
    cut?.removeEventListener('abort', leave)
    leave()
  }
}

/** Returns the error 400 for an incomplete body. */
export function incomplete(cause: unknown): ServiceError {
  return new ServiceError(400, 'unclassified', 'The body broke off before its end.', {
    detail: 'body_incomplete',
    cause,
  })
}

/** Returns the error 413 for a body above the limit. */
export function tooLarge(limitBytes: number): ServiceError {
  // Without `Connection: close`, the server receives the rest of the body, and the client can read the answer.
  return new ServiceError(413, 'unclassified', `The body is larger than ${limitBytes} bytes.`, {
    detail: 'body_too_large',
  })
}
