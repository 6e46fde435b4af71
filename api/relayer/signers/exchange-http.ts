import { SignerUnavailable } from './relayer.ts'

/** An HTTP request to a signer, or to the source of a signer's credentials. */
export interface SignerRequest {
  /** The server's name in error messages, such as `AWS KMS`. */
  server: string
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string> | Headers
  body?: string
}

/** The largest answer, in bytes. The list of a web3signer's keys needs 134 bytes for each key. */
const MOST_BYTES = 1_048_576

/** The pattern of the error name in answers of AWS (`__type`) and Google (`status`). Only the error name is logged. */
const errorName = /"(?:__type|status)"\s*:\s*"(?:[\w.]+#)?([A-Za-z_]{3,60})"/

/**
 * Sends a request and returns the whole answer, of at most 1 MiB. Redirects are not followed.
 * @param signal aborts the request at the deadline
 * @throws SignerUnavailable if no answer arrives, the answer is too large, or the status is not 200
 */
export async function exchangeHttp(request: SignerRequest, signal: AbortSignal): Promise<string> {
  const { server, url, method = 'GET', headers = {}, body } = request
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) })
    text = await readText(server, answer)
  } catch (error) {
    if (error instanceof SignerUnavailable) throw error
    const reason = signal.aborted ? 'in time' : `(${codeOf(error)})`
    throw new SignerUnavailable(`${server} did not answer ${reason}`, { cause: error })
  }
  if (answer.status === 200) return text
  const name = errorName.exec(text)?.[1]
  throw new SignerUnavailable(`${server} answered ${answer.status}${name === undefined ? '' : ` ${name}`}`)
}

/**
 * Reads a response body. If the body is too large, the loop throws an exception. The loop then closes the connection.
 * @throws SignerUnavailable if the body is too large
 */
async function readText(server: string, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new SignerUnavailable(`${server} answered more than 1 MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses an answer as a JSON object. @throws SignerUnavailable if it is not JSON */
export function parseAnswer(server: string, text: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>
  } catch {
    // The error is thrown below.
  }
  throw new SignerUnavailable(`${server} answered something else than JSON`)
}

/**
 * Returns the value of a field in an answer. The value is a non-empty string.
 * @throws SignerUnavailable if the field is missing
 */
export function textOf(server: string, answer: Record<string, unknown>, name: string): string {
  const value = answer[name]
  if (typeof value === 'string' && value !== '') return value
  throw new SignerUnavailable(`${server} answered without ${name}`)
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'no connection'
}
