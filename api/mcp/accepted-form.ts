import { type AcceptedRange, acceptedRanges, weightOf } from '../http/accept.ts'

/** The form of an answer. */
type Form = 'json' | 'event'

const JSON_TYPE = 'application/json'
const EVENT_TYPE = 'text/event-stream'

/**
 * Reads which form a client prefers: the one of the higher quality (RFC 9110, "Accept"), of two equal ones JSON. A form of
 * quality 0 is excluded, so it comes after one that no range names.
 *
 * Example: no header and any type are JSON, as are both types; `application/json;q=0.1, text/event-stream` is an event.
 */
export function acceptedForm(accept: string | undefined): Form {
  const ranges = acceptedRanges(accept)
  return rankOf(EVENT_TYPE, ranges) > rankOf(JSON_TYPE, ranges) ? 'event' : 'json'
}

/** A type without a range is 0, which many clients take all the same; an excluded one comes after it. */
function rankOf(type: string, ranges: readonly AcceptedRange[]): number {
  const weight = weightOf(type, ranges)
  return weight === 0 ? -1 : (weight ?? 0)
}

/** Copies a request with the header that the protocol's library demands. */
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

/** The messages of a stream that has ended: one alone, several as a batch. */
function toJson(stream: string): string {
  const messages = stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(',')}]`
}
