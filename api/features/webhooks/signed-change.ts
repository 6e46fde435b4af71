import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import { type WebhookVerb, webhookText } from '../../../protocol/signed/account-texts.ts'
import { judgeMoment, moments } from '../../../protocol/windows.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { findWebhook, type Webhook } from '../../events/webhooks/webhooks.queries.ts'
import { refuseWindow } from '../../http/parse.ts'
import { anonymousRefusal, identify } from '../../identity/caller.ts'
import { checkSignedText } from '../../identity/check-signed-text.ts'

/** A wallet's signature over a change of a webhook, and the time in the signed text, in Unix seconds. */
export interface SignedChange {
  timestamp: bigint
  signature: Hex
}

/**
 * Checks the signature of a wallet over the creation or a change of a webhook.
 * @param subject the SHA-256 of the URL for a creation, the webhook's id for a change
 * @throws ServiceError 400 if the time differs too much from the present time, 403 if the signature is not the wallet's
 */
export async function checkChange(
  deps: Pick<Deps, 'chain' | 'config' | 'deployment'>,
  { verb, wallet, subject }: { verb: WebhookVerb; wallet: Address; subject: string },
  { timestamp, signature }: SignedChange,
): Promise<void> {
  const { chain, config, deployment } = deps
  refuseWindow(
    judgeMoment(moments.webhook, timestamp, { clocks: await chain.clocks(), field: 'timestamp' }),
    'timestamp',
  )
  const place = { chainId: deployment.chainId, host: new URL(config.PUBLIC_BASE_URL).host }
  const text = webhookText(place, { verb, wallet, subject, timestamp })
  await checkSignedText(deps, { address: wallet, text, signature })
}

/**
 * Returns the webhook `webhookId`. Checks first that the wallet of the webhook has signed the change `verb`.
 * @throws ServiceError 404 if there is no such webhook; 400 or 403 if `checkChange` refuses the change
 */
export async function getChangedWebhook(
  deps: Pick<Deps, 'sql' | 'chain' | 'config' | 'deployment'>,
  { verb, webhookId }: { verb: WebhookVerb; webhookId: string },
  change: SignedChange,
): Promise<Webhook> {
  const webhook = await findWebhook(deps.sql, webhookId)
  if (webhook === null) throw noWebhook()
  await checkChange(deps, { verb, wallet: webhook.wallet, subject: webhookId }, change)
  return webhook
}

/**
 * Returns the error 409 for a signed change of a webhook that has accepted a change with the same or a later timestamp.
 */
export function repeatedChange(): ServiceError {
  return new ServiceError(
    409,
    'unclassified',
    'A change of this timestamp or a later one was taken before; nothing changed. Sign one with a later timestamp.',
    { detail: 'timestamp_not_newer' },
  )
}

export function noWebhook(): ServiceError {
  return new ServiceError(404, 'unclassified', 'There is no webhook of this id.', { detail: 'webhook_not_found' })
}

/** The documented response 401 of routes that read webhooks. */
export const noIdentity = { description: 'No read identity with an end was sent, or a wrong one.' } as const

/**
 * Returns the caller's wallet, whose webhooks the route reads. The signed read-identity headers must name the wallet
 * and an expiry. A read identity without an expiry would be valid forever.
 * @throws ServiceError 401 if the read identity is missing or invalid, or has no expiry
 */
export async function getReader(deps: Deps, c: Context): Promise<Address> {
  const caller = identify(c, deps)
  const [address, end] = await Promise.all([caller.address(), caller.end()])
  if (address !== null && end !== null) return address
  throw await anonymousRefusal(
    c,
    deps,
    'Say who asks: send the read-identity headers of the wallet with X-Service-Read-Expires.',
  )
}
