import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { BaseError, HttpRequestError, ResponseBodyTooLargeError, TimeoutError } from 'viem'

/**
 * The idle time in milliseconds after which this process closes a connection. It is shorter than the idle time of usual
 * load balancers, so this process closes the connection first.
 */
const IDLE_MS = 4_000
/** The largest accepted answer, in bytes. It equals the limit of viem's transport. */
const MAX_ANSWER_BYTES = 10_485_760

/** The proxy from Node's environment variables. Used only if `NODE_USE_ENV_PROXY` is 1. */
const proxy = process.env.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: process.env } : {}
const keep = { ...proxy, keepAlive: true, timeout: IDLE_MS }
const agents = { http: new HttpAgent(keep), https: new HttpsAgent(keep) }

/** A node's answer to one JSON-RPC request. */
export interface RpcAnswer {
  error?: null | { code: number; message: string; data?: unknown }
  result?: unknown
  /** The HTTP status. */
  status: number
  /** The pause that the node demands by `Retry-After`, in seconds. */
  pauseSeconds?: number
}

/** A JSON-RPC request without its id. */
export type RpcRequest = { method: string; params?: unknown }

export interface Exchange {
  url: string
  body: RpcRequest
  /** The time limit for the whole answer, in milliseconds. */
  timeout: number
  /** Aborts the request. It is then unknown whether the node has processed it. */
  signal?: AbortSignal
  /** The longest accepted pause by `Retry-After`, in seconds. Default: the time limit, converted to seconds. */
  longestPause?: number
}

let lastId = 0

/**
 * Sends one JSON-RPC request over a keep-alive connection. Redirects are not followed.
 *
 * Example: `await exchange({ url, body: { method: 'eth_chainId' }, timeout: 2_000 })` returns `{ result: '0x2105' }`.
 * @throws TimeoutError, ResponseBodyTooLargeError, HttpRequestError
 */
export async function exchange(options: Exchange): Promise<RpcAnswer> {
  const { url, body, timeout, signal } = options
  const target = new URL(url)
  lastId += 1
  const text = JSON.stringify({ jsonrpc: '2.0', id: lastId, ...body })
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  const isSecure = target.protocol === 'https:'
  const agent = isSecure ? agents.https : agents.http
  const request = (isSecure ? requestHttps : requestHttp)(target, { method: 'POST', agent, headers, signal })
  let timer: NodeJS.Timeout | undefined
  try {
    const { response, answer } = await new Promise<{ response: IncomingMessage; answer: string }>((resolve, reject) => {
      timer = setTimeout(() => reject(new TimeoutError({ body, url })), timeout)
      request.on('error', reject)
      request.on('upgrade', () => reject(new Error('the node changed to another protocol')))
      request.on('response', (response) => readBody(response).then((answer) => resolve({ response, answer }), reject))
      request.end(text)
    })
    // A node may answer a request without reading it all.
    if (!request.writableFinished) request.destroy()
    return parseAnswer(response, { ...options, answer })
  } catch (error) {
    request.destroy()
    if (error instanceof BaseError) throw error
    throw new HttpRequestError({ body, cause: error as Error, url })
  } finally {
    clearTimeout(timer)
  }
}

function readBody(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_ANSWER_BYTES) reject(new ResponseBodyTooLargeError({ maxSize: MAX_ANSWER_BYTES, size }))
      else chunks.push(chunk)
    })
    response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    // A connection that ends within the answer causes an error too.
    response.on('error', reject)
  })
}

/**
 * Parses the answer. A JSON-RPC error is returned as an answer, because some nodes send errors with a status of 400 or
 * more.
 */
function parseAnswer(
  response: IncomingMessage,
  { answer, body, url, timeout, longestPause = Math.floor(timeout / 1000) }: Exchange & { answer: string },
): RpcAnswer {
  const { statusCode: status = 0, statusMessage: details } = response
  const parsedAnswer = parseObject(answer)
  const pauseSeconds = findPause(response, longestPause)
  const isOfRpc = typeof parsedAnswer?.error?.code === 'number' && typeof parsedAnswer.error.message === 'string'
  const isGood = status >= 200 && status < 300
  if (parsedAnswer !== null && (isOfRpc || isGood)) {
    return { ...parsedAnswer, status, ...(pauseSeconds !== null && { pauseSeconds }) }
  }
  if (isGood) throw new Error('the answer is no JSON')
  const headers = new Headers(pauseSeconds === null ? {} : { 'Retry-After': String(pauseSeconds) })
  throw new HttpRequestError({ body, url, headers, status, details })
}

/**
 * Returns the pause in seconds that the node demands, but at most `longestPause`. Null if the node demands no pause.
 */
function findPause({ headers }: IncomingMessage, longestPause: number): number | null {
  const retryAfter = headers['retry-after'] ?? ''
  return /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter), longestPause) : null
}

function parseObject(text: string): Omit<RpcAnswer, 'status'> | null {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : null
  } catch {
    return null
  }
}
