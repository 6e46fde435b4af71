import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import type { ThroughputMeter } from './throughput-meter.ts'

/** Largest JSON body of an ordinary route, bytes. What is larger than this counts as a large body. */
export const DEFAULT_BODY_LIMIT_BYTES = 1_000_000

export interface Arrival {
  limitBytes: number
  /** Told when the service waits for bytes, and when they came. */
  meter?: ThroughputMeter
  /** Ends the reading; its reason is thrown. */
  cut?: AbortSignal
}

/**
 * The chunks of a request's body, counted as they arrive, whatever the headers promise; leaving early cancels it.
 * @throws ServiceError 413 too long, 400 broken off; the reason of `cut`
 */
export async function* arrivingBody(c: Context, { limitBytes, meter, cut }: Arrival): AsyncGenerator<Buffer> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = c.req.raw.body?.getReader()
  // A stream that has failed or ended cannot be cancelled, and need not be.
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

/** The 400 of a body that ends before its end. */
export function incomplete(cause: unknown): ServiceError {
  return new ServiceError(400, 'unclassified', 'The body broke off before its end.', {
    detail: 'body_incomplete',
    cause,
  })
}

/** Without `Connection: close`: the server drains what is still arriving, so that the client can read this answer. */
export function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError(413, 'unclassified', `The body is larger than ${limitBytes} bytes.`, {
    detail: 'body_too_large',
  })
}
