import { SignerUnavailable } from './relayer.ts'

/** A request to a signer, or to the source of its credentials. */
export interface SignerRequest {
  /** The server's name in errors: `AWS KMS`. */
  server: string
  url: string
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string> | Headers
  body?: string
}

/** The most bytes of an answer: the keys of a web3signer are 134 each. */
const MOST_BYTES = 1_048_576

/**
 * The pattern of error names in answers of AWS (`__type`) and Google (`status`), which keeps other text out of logs.
 */
const errorName = /"(?:__type|status)"\s*:\s*"(?:[\w.]+#)?([A-Za-z_]{3,60})"/

/**
 * Sends a request and reads its whole answer, of 1 MiB at most. Redirects are not followed; they count as a status.
 * @param signal aborts it at the deadline
 * @throws SignerUnavailable without an answer, for one that is too large, and for another status than 200
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

/** Reads a body; leaving the loop ends its connection. @throws SignerUnavailable for one that is too large */
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

/** Parses a JSON answer. @throws SignerUnavailable */
export function parseAnswer(server: string, text: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>
  } catch {
    // The error is thrown below.
  }
  throw new SignerUnavailable(`${server} answered something else than JSON`)
}

/** Returns a text of an answer. @throws SignerUnavailable */
export function textOf(server: string, answer: Record<string, unknown>, name: string): string {
  const value = answer[name]
  if (typeof value === 'string' && value !== '') return value
  throw new SignerUnavailable(`${server} answered without ${name}`)
}

function codeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : 'no connection'
}
