import { type AcceptedRange, acceptedRanges, weightOf } from '../http/accept.ts'

/** The form of an answer: a JSON text, or server-sent events. */
type Form = 'json' | 'event'

const JSON_TYPE = 'application/json'
const EVENT_TYPE = 'text/event-stream'

/**
 * Returns `event` if the `Accept` header prefers server-sent events to JSON. Otherwise returns `json`. The preference
 * is the quality value of RFC 9110. If the header has no quality for a form, the form ranks below every form with a
 * quality above 0, and above a form with quality 0.
 *
 * Example: without a header, or if both forms have the same quality, the form is `json`. For `application/json;q=0.1,
 * text/event-stream` the form is `event`.
 */
export function acceptedForm(accept: string | undefined): Form {
  const ranges = acceptedRanges(accept)
  return rankOf(EVENT_TYPE, ranges) > rankOf(JSON_TYPE, ranges) ? 'event' : 'json'
}

/**
 * Returns the rank of a media type: its quality in the header. The rank is 0 if no range of the header includes the
 * type, and -1 if the quality is 0.
 */
function rankOf(type: string, ranges: readonly AcceptedRange[]): number {
  // Many clients accept JSON and do not name it, so an unnamed type ranks above a refused type.
  const weight = weightOf(type, ranges)
  return weight === 0 ? -1 : (weight ?? 0)
}

/**
 * Returns a copy of a request with an `Accept` header that names JSON and server-sent events. The MCP library requires
 * both types.
 */
export function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('Accept', `${JSON_TYPE}, ${EVENT_TYPE}`)
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

/**
 * Converts an answer to the accepted form. `json`: all messages in one JSON text. `event`: each message as a
 * server-sent event. An answer that already has the accepted form, or has a status other than 200, is not changed.
 */
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

/** Returns the messages of a complete event stream as JSON: one message itself, several messages as an array. */
function toJson(stream: string): string {
  const messages = stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(',')}]`
}
