import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { isRecord, record, text } from '../http/shape.ts'
import type { MarketEvent } from '../reads/events.ts'

export { WebhookVerificationError } from 'standardwebhooks'

/**
 * A test message, which the service sends to a new webhook or on request. The receiver must answer with a 2xx status,
 * and with the challenge as the body.
 */
export interface WebhookTest {
  kind: 'test'
  webhookId: string
  challenge: string
}

/**
 * A message about log entries that the service deleted before their delivery. `next`: the id of the last deleted entry.
 * The receiver should read the affected data again.
 */
export interface WebhookGap {
  kind: 'gap'
  webhookId: string
  data: { next: string }
}

/** A message to a webhook's receiver: an entry of the log of changes, a test, or a gap. */
export type WebhookMessage = MarketEvent | WebhookTest | WebhookGap

/** A request with its raw body, as a Node HTTP server receives it. */
export interface ReceivedWebhook {
  headers:
    | Headers
    | Iterable<readonly [string, string]>
    | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw bytes or the text of the body. The signature may not match a body that was parsed and serialized again. */
  body: string | Uint8Array
}

const isMessage = record({ kind: text })

/**
 * Verifies a request that the service sent to a webhook (Standard Webhooks), and parses the message. The service may
 * deliver a message twice, with the same header `webhook-id`. For a log entry, the header contains the entry's id.
 * @example
 * const message = await verifyWebhook(request, process.env.WEBHOOK_SECRET)
 * if (message.kind === 'test') return new Response(message.challenge)
 * @example
 * const message = await verifyWebhook({ headers: request.headers, body: await text(request) }, secret) // of node:http
 * @param secret the secret as the service showed it (`whsec_` and base64); during a rotation, the old and the new
 * secret
 * @throws WebhookVerificationError when the signature is invalid, or when the signed time differs from the current time
 * by more than five minutes
 */
export async function verifyWebhook(
  request: Request | ReceivedWebhook,
  secret: string | readonly string[],
): Promise<WebhookMessage> {
  const body = await bodyOf(request)
  const headers = toRecord(request.headers)
  const message = verifyByAny([secret].flat(), (one) => new Webhook(one).verify(body, headers))
  if (!isRecord(message) || !isMessage(message))
    throw new WebhookVerificationError('The body is no message of a webhook.')
  return message as unknown as WebhookMessage
}

async function bodyOf(request: Request | ReceivedWebhook): Promise<string> {
  if ('text' in request) return await request.text()
  const { body } = request
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  throw new TypeError('`body` must be the bytes of the request or their text, not what was parsed of them.')
}

function toRecord(headers: ReceivedWebhook['headers']): Record<string, string> {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))
}

/**
 * Verifies the request with each secret in order. Returns the result for the first secret that verifies the request.
 * @throws the error for the last secret if no secret verifies the request
 */
function verifyByAny(secrets: readonly string[], verify: (secret: string) => unknown): unknown {
  const [secret, ...others] = secrets
  if (secret === undefined) throw new WebhookVerificationError('There is no secret.')
  try {
    return verify(secret)
  } catch (error) {
    if (others.length === 0) throw error
    return verifyByAny(others, verify)
  }
}
