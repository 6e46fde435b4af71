import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { BaseError, HttpRequestError, ResponseBodyTooLargeError, TimeoutError } from 'viem'

/** The idle time after which a connection is closed, before a balancer closes it, milliseconds. */
const IDLE_MS = 4_000
/** The most bytes of an answer, the limit of viem's transport. */
const MAX_ANSWER_BYTES = 10_485_760

/** The proxy of Node's own setting, which `fetch` uses too. */
const proxy = process.env.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: process.env } : {}
const keep = { ...proxy, keepAlive: true, timeout: IDLE_MS }
const agents = { http: new HttpAgent(keep), https: new HttpsAgent(keep) }

/** The answer of a node to one request. */
export interface RpcAnswer {
  error?: null | { code: number; message: string; data?: unknown }
  result?: unknown
  /** The HTTP status. */
  status: number
  /** The pause that the node requires (`Retry-After`), seconds. */
  pauseSeconds?: number
}

/** One request of JSON-RPC. */
export type RpcRequest = { method: string; params?: unknown }

export interface Exchange {
  url: string
  body: RpcRequest
  /** Time until the whole answer is there, milliseconds. */
  timeout: number
  /** Ends the exchange; its effect on the node is unknown then. */
  signal?: AbortSignal
  /** The longest accepted pause (`Retry-After`), seconds. Default: the timeout. */
  longestPause?: number
}

let lastId = 0

/**
 * Sends one request over a kept connection. Follows no redirects.
 *
 * Example: `await exchange({ url, body: { method: 'eth_chainId' }, timeout: 2_000 })` is `{ result: '0x2105' }`.
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

/** An error of JSON-RPC counts with any status: nodes send some with 400 and more. */
function parseAnswer(
  response: IncomingMessage,
  { answer, body, url, timeout, longestPause = Math.floor(timeout / 1000) }: Exchange & { answer: string },
): RpcAnswer {
  const { statusCode: status = 0, statusMessage: details } = response
  const parsed = parseObject(answer)
  const pauseSeconds = findPause(response, longestPause)
  const isOfRpc = typeof parsed?.error?.code === 'number' && typeof parsed.error.message === 'string'
  const isGood = status >= 200 && status < 300
  if (parsed !== null && (isOfRpc || isGood)) {
    return { ...parsed, status, ...(pauseSeconds !== null && { pauseSeconds }) }
  }
  if (isGood) throw new Error('the answer is no JSON')
  const headers = new Headers(pauseSeconds === null ? {} : { 'Retry-After': String(pauseSeconds) })
  throw new HttpRequestError({ body, url, headers, status, details })
}

/** Bounds the pause of a node: everything that needs the head waits for it. */
function findPause({ headers }: IncomingMessage, longest: number): number | null {
  const retryAfter = headers['retry-after'] ?? ''
  return /^\d+$/.test(retryAfter) ? Math.min(Number(retryAfter), longest) : null
}

function parseObject(text: string): Omit<RpcAnswer, 'status'> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : null
  } catch {
    return null
  }
}
