import { readBoundedText } from '../http/bounded-text.ts'
import { isRecord } from '../http/shape.ts'
import { type Judgement, judge } from '../writes/judge.ts'

/**
 * Thrown when no payment was made, when the paid write failed, or when its outcome is unknown. The message says which
 * of these it is.
 */
export class MarketFetchError extends Error {
  override name = 'MarketFetchError'
}

/** A request with its payment. Every attempt sends the same bytes, idempotency key and payment. */
export interface PaidRequest {
  key: string
  /** The caller's signal. An abort ends the waiting, but a sent request may still take effect. */
  signal: AbortSignal
  /** The longest time in milliseconds to wait for the outcome of the request. */
  waitMs: number
  send(signal: AbortSignal): Promise<Response>
  /** Requests the service's record of the write that has the idempotency key `key`. */
  look(signal: AbortSignal): Promise<Response>
}

/** Timeout of one request, in milliseconds. The service answers a write within 62 s. */
const REQUEST_MS = 75_000
const PAUSE_MS = 500
const MOST_PAUSE_MS = 4_000

/**
 * Sends a paid request until its outcome is certain. After a doubtful answer, reads the service's record for the key.
 * Sends the same request again only if the service has no record.
 * @returns the answer of the write; if this answer was lost, the record of the completed write
 * @throws MarketFetchError when the write failed, or its outcome is unknown
 */
export async function answerOf(request: PaidRequest): Promise<Response> {
  const deadline = performance.now() + request.waitMs
  let pauseMs = PAUSE_MS
  for (let isFirst = true, next: 'send' | 'look' = 'send'; ; isFirst = false) {
    if (next === 'send') {
      const reception = await receive(request.send, request.signal)
      if (reception !== null && isCertain(reception.judgement, isFirst)) return reception.response
    }
    const record = await readRecord(request)
    if (record.kind === 'completed') return record.response
    if (performance.now() + pauseMs > deadline || request.signal.aborted) throw unknown(request)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(pauseMs * 1.5, MOST_PAUSE_MS)
    next = record.kind === 'absent' ? 'send' : 'look'
  }
}

/**
 * Returns true if an answer determines the outcome. If a repeated request is refused, the outcome is still uncertain,
 * because the first request may have succeeded.
 */
function isCertain(judgement: Judgement, isFirst: boolean): boolean {
  if (judgement.kind === 'done') return true
  if (!isFirst) return false
  const isNotNow = judgement.kind === 'open' && judgement.isAnswered
  return judgement.kind === 'refused' || judgement.kind === 'mismatch' || isNotNow
}

type Found = { kind: 'completed'; response: Response } | { kind: 'absent' | 'open' }

/**
 * Reads the service's record of the write that has the request's idempotency key.
 * @throws MarketFetchError when the write failed
 */
async function readRecord({ look, signal, key }: PaidRequest): Promise<Found> {
  const reception = await receive(look, signal)
  if (reception === null) return { kind: 'open' }
  const { response, body } = reception
  const { status, terminalReason, refund, service } = body as IntentAnswer
  if (response.status === 404 && service?.reason === 'intent_not_found') return { kind: 'absent' }
  if (response.status !== 200) return { kind: 'open' }
  if (status === 'completed') return { kind: 'completed', response }
  if (status === 'reserved') return { kind: 'absent' }
  if (status !== 'failed' || refund?.status === 'pending' || refund?.status === 'refunding') return { kind: 'open' }
  const money = { refunded: ' Its payment went back.', failed: ' Its payment could not be returned yet.' }
  const what = money[refund?.status as keyof typeof money] ?? ''
  throw new MarketFetchError(
    `The write of the idempotency key ${key} failed: ${terminalReason ?? 'no reason is known'}.${what}`,
  )
}

interface IntentAnswer {
  status?: unknown
  terminalReason?: string | null
  refund?: { status?: unknown } | null
  service?: { reason?: unknown }
}

interface Received {
  /** A copy of the service's answer. The caller can still read the body of the copy. */
  response: Response
  body: object
  judgement: Judgement
}

/**
 * Sends a request and returns the answer; null if no complete JSON arrived. With null, the service may still have
 * received the request.
 */
async function receive(send: PaidRequest['send'], signal: AbortSignal): Promise<Received | null> {
  try {
    const answer = await send(AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]))
    const text = await readBoundedText(answer)
    const body: unknown = JSON.parse(text)
    const { url, status, headers } = answer
    return {
      response: new Response(text, { status, headers }),
      body: typeof body === 'object' && body !== null ? body : {},
      judgement: judge({ kind: 'answer', url, status, headers, body: asRest(body) }, true),
    }
  } catch {
    return null
  }
}

/** Converts the result or the error of a tRPC procedure to the form of the REST API. */
function asRest(body: unknown): unknown {
  const { result } = (body ?? {}) as { result?: unknown }
  if (isRecord(result) && isRecord(result.data)) return result.data
  const { error } = (body ?? {}) as { error?: { message?: unknown; data?: { service?: unknown } } }
  if (typeof error !== 'object' || error?.data === undefined) return body
  return { error: error.message, service: error.data.service }
}

function unknown({ key }: PaidRequest): MarketFetchError {
  return new MarketFetchError(
    `The outcome of this payment is unknown. Look it up by the idempotency key ${key} before anything else.`,
  )
}
