import type { ServedAnswer } from '../conformance-contract.ts'
import type { Draft, WireRequest } from './draft.ts'
import type { Operation } from './operations.ts'
import { type RawBody, toWire } from './plan.ts'

/** A procedure, and its operation of REST, which a query may have as a POST. */
export interface Procedure {
  name: string
  operation: Operation
  isQuery: boolean
}

/** The call of a procedure from a draft of its operation: fields of path and body, or of path and query. */
export function toRpcWire({ name, operation, isQuery }: Procedure, draft: Draft, raw: RawBody | null): WireRequest {
  const fields = operation.method === 'GET' ? queryOf(draft) : draft.body
  const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
  const input = isObject || fields === undefined ? { ...draft.params, ...(fields as object) } : fields
  const call = { ...operation, path: `/trpc/${name}`, method: isQuery ? ('GET' as const) : ('POST' as const) }
  const query: Draft['query'] = isQuery ? [['input', JSON.stringify(input)]] : draft.query
  return toWire(call, { ...draft, query, body: isQuery ? undefined : input }, raw)
}

/** A repeated parameter is a list. */
function queryOf({ query }: Draft): Record<string, unknown> {
  const given = new Map<string, string[]>()
  for (const [name, value] of query) given.set(name, [...(given.get(name) ?? []), value])
  return Object.fromEntries([...given].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/**
 * The answer as REST would have returned it, to be checked the same way.
 * @throws Error when it has not the layout of procedures
 */
export function unwrapRpc({ text, ...answer }: Pick<ServedAnswer, 'status' | 'headers' | 'text'>) {
  const body = JSON.parse(text)
  if (answer.status < 400) {
    if (!('result' in body)) throw new Error(`a procedure answered ${answer.status} without a result: ${text}`)
    return { ...answer, text: JSON.stringify(body.result.data) }
  }
  const { message, code, data } = body.error ?? {}
  if (!Number.isInteger(code) || data?.httpStatus !== answer.status) {
    throw new Error(`a procedure answered ${answer.status} with an error of another shape: ${text}`)
  }
  // The challenge of a first round has no reason on REST.
  const challenge = data.paymentRequired
  const rest = challenge ?? { error: message, code: data.code, service: data.service, issues: data.issues }
  return { ...answer, text: JSON.stringify(rest) }
}
