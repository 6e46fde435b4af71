import { SignerUnavailable } from './relayer.ts'

/** A request to a signer, or to what gives out its credentials. */
export interface SignerRequest {
  /** Names the server in errors: `AWS KMS`. */
  server: string
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string> | Headers
  body?: string
}

/** Names of errors in answers of AWS (`__type`) and Google (`status`): words, so that nothing else gets into a log. */
const errorName = /"(?:__type|status)"\s*:\s*"(?:[\w.]+#)?([A-Za-z_]{3,60})"/

/**
 * Sends a request and reads its whole answer. Redirects are not followed.
 * @param signal aborts it at the deadline
 * @throws SignerUnavailable without an answer, and for one of another status than 200
 */
export async function exchangeHttp(request: SignerRequest, signal: AbortSignal): Promise<string> {
  const { server, url, method = 'GET', headers = {}, body } = request
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, { method, headers, signal, redirect: 'error', ...(body !== undefined && { body }) })
    text = await answer.text()
  } catch (error) {
    const reason = signal.aborted ? 'in time' : `(${codeOf(error)})`
    throw new SignerUnavailable(`${server} did not answer ${reason}`, { cause: error })
  }
  if (answer.status === 200) return text
  const name = errorName.exec(text)?.[1]
  throw new SignerUnavailable(`${server} answered ${answer.status}${name === undefined ? '' : ` ${name}`}`)
}

/** Reads an answer that should be JSON. @throws SignerUnavailable */
export function parseAnswer(server: string, text: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new SignerUnavailable(`${server} answered something else than JSON`)
}

/** A text of an answer. @throws SignerUnavailable */
export function textOf(server: string, answer: Record<string, unknown>, name: string): string {
  const value = answer[name]
  if (typeof value === 'string' && value !== '') return value
  throw new SignerUnavailable(`${server} answered without ${name}`)
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'no connection'
}
