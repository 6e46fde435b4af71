import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { keySecrets, openSecret, sealSecret } from '../../identity/sealed-secret.ts'
import type { Message } from './post-message.ts'

/** The length in bytes of a key that signs webhook messages. Standard Webhooks requires 24 to 64. */
const KEY_BYTES = 32

/**
 * The settings with the secrets of the service. The signing secrets of webhooks are encrypted (sealed) with keys that
 * are derived from the secrets of the service.
 */
export type SealSettings = Parameters<typeof keySecrets>[0]

/**
 * Creates a webhook's signing secret. `shown`: the text that the caller receives once. `sealed`: the encrypted form for
 * storage.
 */
export function makeSecret(settings: SealSettings, webhookId: string): { shown: string; sealed: Buffer } {
  const key = randomBytes(KEY_BYTES)
  const [secret] = keySecrets(settings)
  return { shown: toText(key), sealed: sealSecret(secret, { purpose: 'webhook-secret', id: webhookId }, key) }
}

/** A message to a webhook before it is signed. */
export interface Unsigned {
  /** The id of the message; all attempts to send the message have the same id. */
  id: string
  /** The time of this attempt, Unix seconds. */
  timestamp: number
  body: string
}

/** A webhook's signing secrets in encrypted form. */
export interface SealedSecrets {
  webhookId: string
  sealed: Buffer
  /** The previous secret after a rotation, while it still signs messages. Null if only the present secret signs. */
  earlier: Buffer | null
}

/**
 * Signs a message according to Standard Webhooks: HMAC-SHA256 over `<id>.<timestamp>.<body>`. The message is signed
 * with the webhook's present secret. If there is an earlier secret and it can be decrypted, the message gets a second
 * signature with it.
 * @throws Error if none of the service's secrets can decrypt the present secret
 */
export function signMessage(
  settings: SealSettings,
  { webhookId, sealed, earlier }: SealedSecrets,
  unsignedMessage: Unsigned,
): Message {
  const openText = (bytes: Buffer) =>
    toText(openSecret(keySecrets(settings), { purpose: 'webhook-secret', id: webhookId }, bytes))
  const openEarlier = (bytes: Buffer) => {
    try {
      return [openText(bytes)]
    } catch {
      return []
    }
  }
  return signWith([openText(sealed), ...(earlier === null ? [] : openEarlier(earlier))], unsignedMessage)
}

/** Signs a message with each of the secrets (`whsec_...`). */
export function signWith(secrets: readonly string[], { id, timestamp, body }: Unsigned): Message {
  const time = new Date(timestamp * 1000)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(' '),
  }
  return { headers, body }
}

function toText(key: Buffer): string {
  return `whsec_${key.toString('base64')}`
}
