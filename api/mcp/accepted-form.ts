import { type AcceptedRange, acceptedRanges, weightOf } from '../http/accept.ts'

/** The form of an answer. */
type Form = 'json' | 'event'

const JSON_TYPE = 'application/json'
const EVENT_TYPE = 'text/event-stream'

/**
 * Returns the form that a client prefers, by quality (RFC 9110, "Accept"); JSON if equal. Quality 0 excludes a form, so
 * it ranks below one without a range.
 *
 * Example: no header, any type and both types are JSON; `application/json;q=0.1, text/event-stream` is an event.
 */
export function acceptedForm(accept: string | undefined): Form {
  const ranges = acceptedRanges(accept)
  return rankOf(EVENT_TYPE, ranges) > rankOf(JSON_TYPE, ranges) ? 'event' : 'json'
}

/** Returns the rank of a type: 0 without a range, which many clients accept all the same, and -1 when excluded. */
function rankOf(type: string, ranges: readonly AcceptedRange[]): number {
  const weight = weightOf(type, ranges)
  return weight === 0 ? -1 : (weight ?? 0)
}

/** Copies a request with the `Accept` header that the protocol's library requires. */
export function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('Accept', `${JSON_TYPE}, ${EVENT_TYPE}`)
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

/** Writes an answer in the accepted form: its messages as one JSON text, or as one event each. */
export async function inAcceptedForm(response: Response, form: Form): Promise<Response> {
  const type = response.headers.get('content-type') ?? ''
  const isEvent = type.startsWith(EVENT_TYPE)
  if (response.status !== 200 || isEvent === (form === 'event')) return response
  const text = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('Content-Type', isEvent ? JSON_TYPE : EVENT_TYPE)
  return new Response(isEvent ? toJson(text) : `event: message\ndata: ${text}\n\n`, { status: 200, headers })
}

/** Returns the messages of a complete stream: one alone, several as a batch. */
function toJson(stream: string): string {
  const messages = stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(',')}]`
}
