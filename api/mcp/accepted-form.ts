/** The form of an answer: `own` leaves it to the protocol's library. */
type Form = 'json' | 'event' | 'own'

const JSON_TYPE = 'application/json'
const EVENT_TYPE = 'text/event-stream'

/**
 * Reads which form a client accepts. The protocol asks clients to accept JSON and events; many send less.
 *
 * Example: no header and any type are JSON, `text/event-stream` alone is one event, both are the library's choice.
 */
export function acceptedForm(accept: string | undefined): Form {
  const types = (accept ?? '*/*').toLowerCase()
  if (types.includes(JSON_TYPE) && types.includes(EVENT_TYPE)) return 'own'
  return types.includes(EVENT_TYPE) ? 'event' : 'json'
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
  if (form === 'own' || response.status !== 200 || isEvent === (form === 'event')) return response
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
