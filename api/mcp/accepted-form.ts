import { type AcceptedRange, acceptedRanges, weightOf } from '../http/accept.ts'

/** The form of an answer: a JSON text, or server-sent events. */
type Form = 'json' | 'event'

const JSON_TYPE = 'application/json'
const EVENT_TYPE = 'text/event-stream'

/**
 * Returns `event` if the `Accept` header gives server-sent events a higher rank than JSON, else `json`. The rank is the
 * quality value of RFC 9110. Quality 0 excludes a form, so such a form ranks below a form that the header does not
 * mention.
 *
 * Example: without a header, and for a header that accepts any type or both types equally, the form is JSON. For
 * `application/json;q=0.1, text/event-stream` it is `event`.
 */
export function acceptedForm(accept: string | undefined): Form {
  const ranges = acceptedRanges(accept)
  return rankOf(EVENT_TYPE, ranges) > rankOf(JSON_TYPE, ranges) ? 'event' : 'json'
}

/**
 * Returns the rank of a media type: its quality, 0 if the header does not mention it (many clients accept it
 * nevertheless), or -1 if its quality is 0.
 */
function rankOf(type: string, ranges: readonly AcceptedRange[]): number {
  const weight = weightOf(type, ranges)
  return weight === 0 ? -1 : (weight ?? 0)
}

/** Returns a copy of a request whose `Accept` header names both forms, because the MCP library requires it. */
export function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('Accept', `${JSON_TYPE}, ${EVENT_TYPE}`)
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

/**
 * Converts an answer to the accepted form: all messages in one JSON text, or each message as a server-sent event.
 * Returns an answer unchanged if it already has the form or if its status is not 200.
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
