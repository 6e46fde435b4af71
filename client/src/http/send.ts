/** An answer that arrived whole, or none. */
export type Answer =
  | { kind: 'answer'; status: number; headers: Headers; body: unknown }
  | { kind: 'none'; problem: string }

export interface SentRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string | null
}

/**
 * Sends one request, follows no redirect, and takes only an answer whose JSON arrived whole: everything else is `none`,
 * after which it is unknown whether the request arrived. Never throws.
 */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  { method, url, headers, body = null }: SentRequest,
  timeoutMs: number,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(body !== null && { 'Content-Type': 'application/json' }), ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== null && { body }),
    })
    const text = await response.text()
    // An answer that says that nothing has changed has no body.
    const parsed: unknown = response.status === 304 ? null : JSON.parse(text)
    return { kind: 'answer', status: response.status, headers: response.headers, body: parsed }
  } catch (error) {
    return { kind: 'none', problem: describe(error) }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.'
  const { cause } = error as { cause?: { code?: unknown } }
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : ''
  return error instanceof SyntaxError ? 'The answer is no JSON.' : `No whole answer: ${error.message}${code}.`
}
