import { AnswerTooLarge, readBoundedText } from './bounded-text.ts'
import { describeFailure, reach } from './reach.ts'

/** An answer that arrived whole, or none. */
export type Answer =
  | { kind: 'answer'; url: string; status: number; headers: Headers; body: unknown }
  | { kind: 'none'; problem: string }

export interface SentRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string | null
  /** Gives the request up; the answer is then `none`. */
  signal?: AbortSignal | undefined
}

/**
 * Sends one request, follows no redirect, and takes only an answer whose JSON arrived whole, of at most 8 MiB: everything
 * else is `none`, after which it is unknown whether the request arrived. Never throws.
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
    const { status, headers: answered } = response
    const text = await readBoundedText(response)
    // An answer that says that nothing has changed has no body.
    const parsed: unknown = status === 304 ? null : JSON.parse(text)
    return { kind: 'answer', url, status, headers: answered, body: parsed }
  } catch (error) {
    return { kind: 'none', problem: describe(error, url) }
  }
}

function describe(error: unknown, url: string): string {
  if (error instanceof SyntaxError) return `${url} answered something that is no JSON, as the service's answers are.`
  if (error instanceof AnswerTooLarge) return `${url} is not read: ${error.message}.`
  return describeFailure(url, error)
}
