import type { Examples, OperationExamples } from '../../api/server/openapi/examples.ts'
import { type DevRole, devAccount } from '../chain/dev-accounts.ts'
import { keyOf } from '../seed/seed-client.ts'
import type { ChainControl } from './chain-control.ts'
import type { Operation } from './operations.ts'
import { signPayment, signReadIdentity } from './wallets.ts'

/** One request for an operation. */
export interface Call {
  /** Values for the path's parameters. */
  params?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Body that is sent as JSON. */
  body?: unknown
  /** Body that is sent unchanged, for operations that take bytes. */
  text?: string
  /** Account whose read identity is sent with the request. */
  as?: DevRole
  /** Account that pays if the service answers with status 402. */
  payer?: DevRole
}

export interface Answer {
  /** Parsed JSON, or the text of any other media type. */
  body: unknown
  headers: Headers
  /** The idempotency key of the request. */
  key: string
}

export interface Recorder {
  /**
   * Sends a request, and keeps the request body and the answer as examples. @throws if the service refuses the request,
   * or if there already is an example of this answer
   */
  record(operationId: string, call?: Call): Promise<Answer>
  /** Sends a request, and keeps no example. @throws if the service refuses the request */
  perform(operationId: string, call?: Call): Promise<Answer>
  /** Returns the examples recorded so far. */
  examples(): Examples
}

/**
 * Creates a client of the service at `baseUrl` that records request and response bodies. Its requests use the option
 * `strict`, with which the service refuses unknown fields.
 */
export function createRecorder(
  baseUrl: string,
  { operations, chain }: { operations: readonly Operation[]; chain: ChainControl },
): Recorder {
  const keptExamples: Record<string, OperationExamples> = {}
  let calls = 0
  const send = async (operation: Operation, call: Call) => {
    calls += 1
    const key = keyOf(`recorded example ${calls}`)
    const request = await toRequest(operation, call, { baseUrl, key, now: await chain.now() })
    const first = await fetch(request.url, request.init)
    if (first.status !== 402 || call.payer === undefined) return { response: first, key }
    const { account } = devAccount(call.payer)
    const payment = await signPayment(account, await first.json(), { key, now: await chain.now() })
    const headers = { ...request.init.headers, 'PAYMENT-SIGNATURE': payment }
    return { response: await fetch(request.url, { ...request.init, headers }), key }
  }
  const run = async (operationId: string, call: Call, isKept: boolean): Promise<Answer> => {
    const operation = operations.find(({ id }) => id === operationId)
    if (operation === undefined) throw new Error(`the document has no operation ${operationId}`)
    const { response, key } = await send(operation, call)
    const text = await response.text()
    if (!response.ok) throw new Error(`${operationId} answered ${response.status}: ${text}`)
    const type = response.headers.get('content-type') ?? ''
    const body: unknown = type.startsWith('application/json') ? JSON.parse(text) : text
    if (isKept) keep(keptExamples, operation, { call, status: String(response.status), type, body })
    return { body, headers: response.headers, key }
  }
  return {
    record: (operationId, call = {}) => run(operationId, call, true),
    perform: (operationId, call = {}) => run(operationId, call, false),
    examples: () => keptExamples,
  }
}

async function toRequest(
  { method, path }: Operation,
  call: Call,
  { baseUrl, key, now }: { baseUrl: string; key: string; now: bigint },
) {
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textAt(call.params, name)))
  const url = new URL(`${baseUrl}${filledPath}`)
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.append(name, value)
  const identity = call.as === undefined ? {} : await signReadIdentity(devAccount(call.as).account, now)
  const headers: Record<string, string> = {
    Prefer: 'handling=strict',
    ...(method === 'POST' && { 'X-Service-Idempotency-Key': key }),
    ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
    ...identity,
    ...call.headers,
  }
  const body = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  return { url, init: { method, headers, ...(body !== undefined && { body }) } }
}

/**
 * Keeps a request body and an answer as examples. @throws if the OpenAPI document does not contain the request body or
 * the answer's media type, or if there already is an example of this answer
 */
function keep(
  keptExamples: Record<string, OperationExamples>,
  { id, requestTypes, responseTypes }: Operation,
  { call, status, type, body }: { call: Call; status: string; type: string; body: unknown },
): void {
  const earlierExamples = keptExamples[id] ?? { responses: {} }
  const sentBody = call.text ?? call.body
  const [requestType] = requestTypes
  if (sentBody !== undefined && requestType === undefined) throw new Error(`${id} publishes no request body`)
  const request =
    earlierExamples.request ?? (sentBody !== undefined && requestType !== undefined && { [requestType]: sentBody })
  const publishedType = responseTypes.get(status)?.find((candidate) => covers(candidate, type))
  if (publishedType === undefined) throw new Error(`${id} does not publish ${status} ${type}`)
  const bodies = earlierExamples.responses[status] ?? {}
  if (bodies[publishedType] !== undefined) throw new Error(`${id} has an example of ${status} ${publishedType}`)
  const responses = { ...earlierExamples.responses, [status]: { ...bodies, [publishedType]: body } }
  keptExamples[id] = { ...(request && { request }), responses }
}

/** Returns true if a media type of the OpenAPI document includes the media type of an answer. */
function covers(publishedType: string, answeredType: string): boolean {
  const essence = (type: string) => type.split(';', 1)[0]?.trim().toLowerCase()
  return publishedType === '*/*' || essence(publishedType) === essence(answeredType)
}

/** Returns the string at a path of keys in parsed JSON. @throws if there is no string at this path */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const leaf = path.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[key] : undefined),
    value,
  )
  if (typeof leaf === 'string') return leaf
  throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(value)}`)
}
