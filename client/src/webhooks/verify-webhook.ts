import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { isRecord, record, text } from '../http/shape.ts'
import type { MarketEvent } from '../reads/events.ts'

export { WebhookVerificationError } from 'standardwebhooks'

/** The first message to a receiver, and one that was asked for: answer 2xx with the challenge as the body. */
export interface WebhookTest {
  kind: 'test'
  webhookId: string
  challenge: string
}

/** Entries before `next` were removed before they could be delivered: read anew what they were about. */
export interface WebhookGap {
  kind: 'gap'
  webhookId: string
  data: { next: string }
}

/** A message to a receiver: an entry of the log of changes, or one of the two that are none. */
export type WebhookMessage = MarketEvent | WebhookTest | WebhookGap

/** A request as a server of Node has it. */
export interface ReceivedWebhook {
  headers:
    | Headers
    | Iterable<readonly [string, string]>
    | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The bytes as they came, or their text: what was parsed and written anew has another signature. */
  body: string | Uint8Array
}

const isMessage = record({ kind: text })

/**
 * Verifies a request of the service to a webhook (Standard Webhooks), and reads its message. A message can come twice, with the same
 * `webhook-id` header, which is the id of an entry.
 *
 * @example
 * const message = await verifyWebhook(request, process.env.WEBHOOK_SECRET)
 * if (message.kind === 'test') return new Response(message.challenge)
 *
 * @example
 * const message = await verifyWebhook({ headers: request.headers, body: await text(request) }, secret) // of node:http
 *
 * @param secret as the service has shown it, `whsec_` and base64; while a secret is replaced both
 * @throws WebhookVerificationError for a request that no secret has signed, or more than five minutes ago
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

/** The result for the first secret that fits. @throws as for the last one */
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
