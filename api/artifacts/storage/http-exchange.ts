import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { StorageUnavailableError } from './object-store.ts'

/** A request to a storage service. */
export interface StorageRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  url: URL
  headers: Record<string, string>
  /** The body in chunks. `headers` must contain the length of the body. */
  body?: AsyncIterable<Uint8Array>
  /** The longest time in milliseconds that this process waits for bytes of the storage server. */
  silenceMs: number
}

/**
 * The longest wait for the storage server's answer to the header `Expect: 100-continue`, in milliseconds. After this
 * time, the body is sent without the answer.
 */
const CONTINUE_MS = 1_000

/**
 * Sends a request to the storage server. Returns the status and headers of the answer, with its body as a stream. An
 * answer with an error status is returned like any other. Redirects are not followed. If the storage server closes a
 * reused connection before the body begins, the request is sent once more.
 * @throws StorageUnavailableError if no answer arrives. An error of the request's `body` stream is thrown unchanged.
 */
export async function exchange(request: StorageRequest, agent: Agent): Promise<IncomingMessage> {
  try {
    return await exchangeOnce(request, agent)
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
    return await exchangeOnce(request, agent)
  }
}

/** Reads the body of an answer as text. Fails above `mostBytes` bytes or after `withinMs` milliseconds. */
export async function readText(
  answer: IncomingMessage,
  limits: { mostBytes: number; withinMs: number },
): Promise<string> {
  const timer = setTimeout(
    () => answer.destroy(new Error('the rest of an answer did not come in time')),
    limits.withinMs,
  )
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer) {
      size += chunk.length
      if (size > limits.mostBytes) throw new Error('an answer was too long')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch (cause) {
    throw new StorageUnavailableError({ cause })
  } finally {
    clearTimeout(timer)
  }
}

/** Streams the body of an answer. If a reader waits `silenceMs` milliseconds for the next bytes, the stream fails. */
export function readBytes(answer: IncomingMessage, silenceMs: number): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const timer = setTimeout(() => answer.destroy(tooSilent(silenceMs)), silenceMs)
        try {
          const { done, value } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (cause) {
          throw new StorageUnavailableError({ cause })
        } finally {
          clearTimeout(timer)
        }
      },
      cancel: () => {
        answer.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

class StaleConnection extends StorageUnavailableError {}

function exchangeOnce(request: StorageRequest, agent: Agent): Promise<IncomingMessage> {
  const { method, url, headers, body, silenceMs } = request
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, { method, agent, headers: { ...headers, ...(body && { Expect: '100-continue' }) } })
    const silence = createTimer(silenceMs, () => request.destroy(tooSilent(silenceMs)))
    let hasBegun = false
    request.once('response', (answer) => {
      silence.stop()
      // The service ignores the remainder of an unfinished request, and no other request can reuse its connection.
      answer.once('close', () => request.writableEnded || request.destroy())
      resolve(answer)
    })
    request.once('error', (cause) => {
      silence.stop()
      const isStale = request.reusedSocket && !hasBegun && isClosed(cause)
      reject(isStale ? new StaleConnection({ cause }) : new StorageUnavailableError({ cause }))
    })
    silence.start()
    if (body === undefined) {
      request.end()
      return
    }
    request.flushHeaders()
    whenAskedForBody(request, () => {
      if (hasBegun) return
      hasBegun = true
      silence.stop()
      sendBody(request, body, silence).catch((error) => {
        reject(error)
        request.destroy()
      })
    })
  })
}

function whenAskedForBody(request: ClientRequest, begin: () => void): void {
  const timer = createTimer(CONTINUE_MS, begin)
  request.once('continue', () => {
    timer.stop()
    begin()
  })
  for (const end of ['response', 'error', 'close']) request.once(end, timer.stop)
  timer.start()
}

/**
 * Sends the body. `silence` runs only while this process waits for the storage server, not while it waits for `body`.
 */
async function sendBody(request: ClientRequest, body: AsyncIterable<Uint8Array>, silence: Timer): Promise<void> {
  let isOver = false
  for (const end of ['response', 'close'])
    request.once(end, () => {
      isOver = true
    })
  for await (const chunk of body) {
    if (isOver) return
    if (request.write(chunk)) continue
    silence.start()
    await canTakeMore(request)
    silence.stop()
  }
  if (isOver) return
  silence.start()
  request.end()
}

function canTakeMore(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'response', 'close']
    const settle = () => {
      for (const event of events) request.off(event, settle)
      resolve()
    }
    for (const event of events) request.on(event, settle)
  })
}

interface Timer {
  start: () => void
  stop: () => void
}

function createTimer(milliseconds: number, ring: () => void): Timer {
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    stop,
    start: () => {
      stop()
      timer = setTimeout(ring, milliseconds)
    },
  }
}

function tooSilent(milliseconds: number): Error {
  return new Error(`the storage service said nothing for ${milliseconds} ms`)
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
