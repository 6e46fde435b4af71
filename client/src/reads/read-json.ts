import { type ClientContext, readLimit } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { foreignAnswer, isRecord, type Shape } from '../http/shape.ts'

/** The answer of a read. `status` is null if no usable answer arrived. */
export type ReadAnswer =
  | { ok: true; body: unknown; headers: Headers }
  | { ok: false; status: number | null; body: unknown; message: string }

/** Query parameters of a read. A parameter with several values is repeated, because values may contain commas. */
export type ReadQuery = Record<string, string | readonly string[]>

/**
 * Reads from the service with the client's read identity. If no answer arrives, or if the answer does not have the form
 * of `shape`, the result has `ok: false` and the status null.
 */
export async function readJson(
  { url, fetch, identity, timing }: Pick<ClientContext, 'url' | 'fetch' | 'identity' | 'timing'>,
  path: string,
  query: ReadQuery,
  shape: Shape,
): Promise<ReadAnswer> {
  const search = toSearch(query)
  const request = {
    method: 'GET',
    url: `${url}${path}${search === '' ? '' : `?${search}`}`,
    headers: { Prefer: 'handling=strict', ...(await identity()) },
  } as const
  const answer = await sendRequest(fetch, request, readLimit(timing))
  if (answer.kind === 'none') return { ok: false, status: null, body: null, message: answer.problem }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) {
    if (shape.accepts(body)) return { ok: true, body, headers }
    return { ok: false, status: null, body: null, message: foreignAnswer(answer.url, body, shape) }
  }
  return toProblem(answer)
}

export function toSearch(query: ReadQuery): string {
  const search = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) search.append(name, value)
  }
  return search.toString()
}

/**
 * Converts an error answer to a failed read. The message is the body's `error`. Without `error`, the message contains
 * nothing from the body, because another server may have sent the body.
 */
export function toProblem({ url, status, body }: { url: string; status: number; body: unknown }): {
  ok: false
  status: number
  body: unknown
  message: string
} {
  if (isRecord(body) && typeof body.error === 'string') return { ok: false, status, body, message: body.error }
  const message = `${url} answered ${status} without an \`error\`, as the service's refusals have.`
  return { ok: false, status, body: null, message }
}
