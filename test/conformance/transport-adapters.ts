import { expect } from 'vitest'
import type { OperationName } from '../../protocol/derive.ts'
import { operations } from '../../protocol/operations.ts'
import type { Actor } from '../support/actors.ts'
import { type Answer, openHttp } from '../support/conformance-http.ts'
import { aKey } from '../support/paying-client.ts'
import type { Requirement } from '../support/payment.ts'

/** Paths that are no write's, relative to `/api`. */
const otherPaths = {
  'tasks.list': '/tasks',
  'intents.get': '/intents',
  /** No operation has this name. */
  'tasks.nothing': '/tasks/a/b/c/d',
} as const
export type Operation = OperationName | keyof typeof otherPaths

export interface Call {
  operation: Operation
  /** Fields of the path and of the body, or of the query. */
  input?: Record<string, unknown>
  /** A new one unless given; null: none. */
  key?: string | null
  /** `PAYMENT-SIGNATURE`. */
  payment?: string
  as?: Actor
  /** When `as` signs, Unix seconds; the host's time unless given. */
  now?: () => Promise<bigint>
}

/** An answer of either transport. */
export interface TransportAnswer {
  status: number
  headers: Headers
  /** Of a success. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  data: any
  /** Of an error; null otherwise. */
  error: { message: string; code: string; service: Record<string, string>; issues?: unknown } | null
  /** The requirement of a 402; null otherwise. */
  requirement: Requirement | null
}

/** An adapter for one transport of the service. */
export interface TransportAdapter {
  name: 'REST' | 'tRPC'
  read(baseUrl: string, call: Call): Promise<TransportAnswer>
  write(baseUrl: string, call: Call): Promise<TransportAnswer>
}

const rest: TransportAdapter = {
  name: 'REST',
  read: async (baseUrl, { operation, input = {}, as, ...scope }) => {
    const query = new URLSearchParams(input as Record<string, string>)
    return fromRest(await openHttp(baseUrl, nowOf(scope)).get(`${pathOf(operation, input)}?${query}`, as && { as }))
  },
  write: async (baseUrl, { operation, input = {}, ...options }) => {
    const answer = await openHttp(baseUrl).post(pathOf(operation, input), { ...options, body: input })
    return fromRest(answer)
  },
}

function fromRest({ status, headers, body }: Answer): TransportAnswer {
  const error = status >= 400 && 'service' in body ? { message: body.error, ...body } : null
  return { status, headers, error, data: status < 400 ? body : null, requirement: body?.accepts?.[0] ?? null }
}

const trpc: TransportAdapter = {
  name: 'tRPC',
  read: async (baseUrl, { operation, input = {}, as, ...scope }) => {
    const query = new URLSearchParams({ input: JSON.stringify(input) })
    return fromRpc(
      await openHttp(baseUrl, { root: '/trpc', ...nowOf(scope) }).get(`/${operation}?${query}`, as && { as }),
    )
  },
  write: async (baseUrl, { operation, input = {}, ...options }) =>
    fromRpc(await openHttp(baseUrl, { root: '/trpc' }).post(`/${operation}`, { ...options, body: input })),
}

function nowOf({ now }: Pick<Call, 'now'>): Pick<Call, 'now'> {
  return now === undefined ? {} : { now }
}

/** Checks the layout of a procedure's answer. */
function fromRpc({ status, headers, body }: Answer): TransportAnswer {
  if (status < 400) {
    expect(Object.keys(body)).toEqual(['result'])
    return { status, headers, data: body.result.data, error: null, requirement: null }
  }
  const { message, code, data } = body.error
  expect({ code, httpStatus: data.httpStatus }).toEqual({ code: expect.any(Number), httpStatus: status })
  const { paymentRequired } = data
  const header = headers.get('payment-required')
  if (header !== null) expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual(paymentRequired)
  return { status, headers, data: null, error: { message, ...data }, requirement: paymentRequired?.accepts[0] ?? null }
}

export const transportAdapters: readonly TransportAdapter[] = [rest, trpc]

/** A paid call with the payment for its challenge, signed and not sent. */
export async function preparePayment(
  adapter: TransportAdapter,
  {
    baseUrl,
    call,
    sign,
  }: { baseUrl: string; call: Call; sign: (requirement: Requirement) => Promise<{ header: string }> },
): Promise<Call & { key: string; payment: string }> {
  const { payment: _, ...unpaid } = call
  const keyed = { ...unpaid, key: call.key ?? aKey() }
  const { status, requirement, error } = await adapter.write(baseUrl, keyed)
  if (requirement === null) throw new Error(`expected a challenge, got ${status} ${JSON.stringify(error)}`)
  return { ...keyed, payment: (await sign(requirement)).header }
}

function pathOf(operation: Operation, input: Record<string, unknown>): string {
  const path = isWrite(operation) ? operations[operation].path : otherPaths[operation]
  return path.replace('{taskId}', String(input.taskId))
}

function isWrite(operation: Operation): operation is OperationName {
  return Object.hasOwn(operations, operation)
}
