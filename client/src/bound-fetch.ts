import type { WriteInput, WriteName } from './api/write-names.ts'
import type { Client } from './create-client.ts'
import { isRecord } from './http/shape.ts'
import { MarketFetchError } from './payments/paid-request.ts'
import type { Outcome } from './writes/outcome.ts'
import { writes } from './writes/write-table.ts'

/** A write that an ordinary x402 client requests. `send` sends the HTTP request unchanged. */
export interface AskedWrite {
  request: Request
  /**
   * The idempotency key of the request; undefined if the request has none. If the request has no key, and the outcome
   * of an earlier write with the same arguments is unknown, the client continues the earlier write.
   */
  key: string | undefined
  send(): Promise<Response>
}

/**
 * Makes the requested write at a deployment that accepts bound payments. The signature of a bound payment is valid only
 * for one contract call.
 *
 * If the request is a write that always needs a payment, `client.write` makes the write. Any other request is sent
 * unchanged and without a payment.
 *
 * Example: `POST /api/tasks` with `{"description": "Haiku", "reward": "2000000", ...}` is the write `createTask`.
 * @throws MarketFetchError when the request needs a payment that is not bound, when the write failed, or when the
 * outcome of the write is unknown
 */
export async function fetchBound(client: Client, { request, key, send }: AskedWrite): Promise<Response> {
  const write = await readWrite(request)
  if (write !== null) {
    const pendingOutcome = client.write(write.name, write.input as never, key === undefined ? {} : { key })
    return toResponse(await untilAborted(pendingOutcome, { signal: request.signal, key }))
  }
  const answer = await send()
  if (answer.status !== 402) return answer
  throw new MarketFetchError(
    `${request.url} asks for a payment that is not bound to its call: nothing was signed. Make this write by \`write\` of a client.`,
  )
}

/** Parses the write that a request makes. Returns null if the request is no write, or if the write is free. */
async function readWrite(request: Request): Promise<{ name: WriteName; input: WriteInput<WriteName> } | null> {
  const { pathname } = new URL(request.url)
  for (const [name, { path, isFree }] of Object.entries(writes)) {
    const match = isFree ? null : patternOf(path).exec(pathname)
    if (match === null) continue
    const body = await readBody(request)
    return body === null ? null : { name: name as WriteName, input: { ...body, ...match.groups } as never }
  }
  return null
}

/**
 * Returns an expression that matches a path template and captures its parameters. For example,
 * `/api/tasks/{taskId}/accept` captures `taskId`.
 */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

/** Parses a JSON body; an empty body counts as `{}`. Returns null if the body is not a JSON object. */
async function readBody(request: Request): Promise<Record<string, unknown> | null> {
  const text = await request.clone().text()
  if (text === '') return {}
  try {
    const body: unknown = JSON.parse(text)
    return isRecord(body) ? body : null
  } catch {
    return null
  }
}

/**
 * Returns the result of `work`, or rejects when the signal aborts. An abort does not stop the write, which may still
 * take effect.
 */
async function untilAborted<T>(
  work: Promise<T>,
  { signal, key }: { signal: AbortSignal; key: string | undefined },
): Promise<T> {
  const keyClause = key === undefined ? '' : ` under the key ${key}`
  let abort = () => {}
  const callerAbort = new Promise<never>((_, reject) => {
    abort = () =>
      reject(new MarketFetchError(`The caller gave up: the journal of the wallet has the write${keyClause}.`))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
  try {
    return await Promise.race([work, callerAbort])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function toResponse(outcome: Outcome<unknown>): Response {
  if (outcome.kind === 'completed') {
    const { answer, txHash, taskId } = outcome
    return Response.json(answer ?? { status: 'completed', txHash, taskId })
  }
  if (outcome.kind === 'refused' && outcome.status !== null && isRecord(outcome.error)) {
    const { error, status, retryAfterSeconds } = outcome
    const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
    return Response.json(error, { status, headers })
  }
  const key = outcome.key === null ? '' : ` Idempotency key: ${outcome.key}.`
  throw new MarketFetchError(`${outcome.message}${key}`)
}
