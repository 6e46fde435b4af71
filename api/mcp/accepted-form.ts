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
export function acceptedForm(accept = '*/*'): Form {
  const ranges = accept.toLowerCase().split(',').map(toRange)
  return qualityOf(EVENT_TYPE, ranges) > qualityOf(JSON_TYPE, ranges) ? 'event' : 'json'
}

interface Range {
  type: string
  quality: number
}

/** Below that of a type without a range, which many clients take all the same. */
const EXCLUDED = -1

function toRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length)
  const quality = given === undefined || given === '' ? 1 : Number(given)
  if (quality === 0) return { type, quality: EXCLUDED }
  return { type, quality: quality > 0 && quality <= 1 ? quality : 1 }
}

/** The quality of a type: that of its most exact range; 0 where no range covers it. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const covering = [type, `${type.split('/')[0]}/*`, '*/*']
  const exact = covering.find((covers) => ranges.some((range) => range.type === covers))
  return ranges.find((range) => range.type === exact)?.quality ?? 0
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
