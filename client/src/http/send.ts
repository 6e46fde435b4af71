import { AnswerTooLarge, readBoundedText } from './bounded-text.ts'
import { describeFailure, reach } from './reach.ts'

/** The result of a request: a complete answer, or `none` with the problem. */
export type Answer =
  | { kind: 'answer'; url: string; status: number; headers: Headers; body: unknown }
  | { kind: 'none'; problem: string }

export interface SentRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string | null
  /** The caller's abort signal. If the signal aborts the request, the result of the request is `none`. */
  signal?: AbortSignal | undefined
}

/**
 * Sends one request without following redirects; never throws. The result is `none` unless a complete JSON answer of at
 * most 8 MiB arrives. If the result is `none`, the service may still have received the request.
 */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  { method, url, headers, body = null, signal }: SentRequest,
  timeoutMs: number,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await reach(fetch, url, {
      method,
      headers: { ...(body !== null && { 'Content-Type': 'application/json' }), ...headers },
      signal: AbortSignal.any([timeout, signal ?? timeout]),
      ...(body !== null && { body }),
    })
    const { status, headers: answerHeaders } = response
    const text = await readBoundedText(response)
    // Status 304 has no body.
    const answerBody: unknown = status === 304 ? null : JSON.parse(text)
    return { kind: 'answer', url, status, headers: answerHeaders, body: answerBody }
  } catch (error) {
    return { kind: 'none', problem: describe(error, url) }
  }
}

function describe(error: unknown, url: string): string {
  if (error instanceof SyntaxError) return `${url} answered something that is no JSON, as the service's answers are.`
  if (error instanceof AnswerTooLarge) return `${url} is not read: ${error.message}.`
  return describeFailure(url, error)
}
