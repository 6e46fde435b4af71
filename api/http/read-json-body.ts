import type { Context } from 'hono'
import { findNestingFault } from './json-nesting.ts'
import { largeBodySlots } from './large-bodies.ts'
import { ServiceError } from './service-error.ts'

/** Largest JSON body of an ordinary route, bytes. What is larger than this counts as a large body. */
const DEFAULT_BODY_LIMIT_BYTES = 1_000_000

/**
 * Reads a request's JSON body, counting bytes as they arrive, whatever the headers promise. An empty body is `{}`.
 * A large body waits for one of few slots, which is free again when the request has been answered.
 * @throws ServiceError 413 too long, 415 encoded, 400 not JSON or nested too deep, 503 too many large bodies at once
 */
export async function readJsonBody(c: Context, limitBytes = DEFAULT_BODY_LIMIT_BYTES): Promise<unknown> {
  const encoding = c.req.header('content-encoding')
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError(415, 'unclassified', 'Send the body without Content-Encoding: it is not decoded here.')
  }
  // Sizes beyond 2^53 compare right too; what is no number is counted on arrival.
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const bytes = await readBytes(c, limitBytes)
  return bytes.length === 0 ? {} : parseJson(bytes)
}

async function readBytes(c: Context, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  let holdsSlot = false
  for await (const chunk of arriving(c.req.raw.body)) {
    length += chunk.length
    if (length > limitBytes) throw tooLarge(limitBytes)
    if (length > DEFAULT_BODY_LIMIT_BYTES && !holdsSlot) {
      await largeBodySlots(c).take()
      holdsSlot = true
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** The stream's chunks; leaving early cancels it. */
async function* arriving(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) yield next.value
  } catch (error) {
    throw malformed('The body broke off before its end.', error)
  } finally {
    // A stream that has failed or ended cannot be cancelled, and need not be.
    await reader?.cancel().catch(() => undefined)
  }
}

function parseJson(bytes: Buffer): unknown {
  const fault = findNestingFault(bytes)
  if (fault !== null) throw malformed(fault)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw malformed('The body is not valid JSON in UTF-8.', error)
  }
}

function malformed(sentence: string, cause?: unknown): ServiceError {
  return new ServiceError(400, 'unclassified', sentence, { cause })
}

/** Without `Connection: close`: the server drains what is still arriving, so that the client can read this answer. */
function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError(413, 'unclassified', `The body is larger than ${limitBytes} bytes.`)
}
