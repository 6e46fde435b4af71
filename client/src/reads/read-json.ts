import type { ClientContext } from '../context.ts'
import { sendRequest } from '../http/send.ts'

/** A read's answer. `status` null: none came. */
export type ReadAnswer =
  | { ok: true; body: unknown; headers: Headers }
  | { ok: false; status: number | null; body: unknown; message: string }

/** Reads as the client's wallet. A query without values is left out. */
export async function readJson(
  { url, fetch, identity, timing }: Pick<ClientContext, 'url' | 'fetch' | 'identity' | 'timing'>,
  path: string,
  query: Record<string, string> = {},
): Promise<ReadAnswer> {
  const search = new URLSearchParams(query).toString()
  const request = {
    method: 'GET',
    url: `${url}${path}${search === '' ? '' : `?${search}`}`,
    headers: { Prefer: 'handling=strict', ...(await identity()) },
  } as const
  const answer = await sendRequest(fetch, request, timing.requestMs)
  if (answer.kind === 'none') return { ok: false, status: null, body: null, message: answer.problem }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return { ok: true, body, headers }
  const { error } = (body ?? {}) as { error?: unknown }
  return { ok: false, status, body, message: typeof error === 'string' ? error : `The service answered ${status}.` }
}
