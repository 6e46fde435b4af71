import type { z } from 'zod'
import type { Delivery, Webhook } from '../../events/webhooks/webhooks.queries.ts'
import { toAddress } from '../../http/response-schemas.ts'
import type { deliveryOut, webhookOut } from './webhooks.schemas.ts'

/** Returns a webhook in the form that is shown to the webhook's wallet. */
export function toWebhook(webhook: Webhook): z.infer<typeof webhookOut> {
  const { id, wallet, url, kinds, taskId, filters, status, attempts, lastStatus, lastError } = webhook
  const isEarlierValid = webhook.earlierUntil !== null && webhook.earlierUntil.getTime() > Date.now()
  return {
    webhookId: id,
    address: toAddress(wallet),
    url,
    kinds,
    filters: taskId === null && filters === null ? null : { ...(taskId !== null && { taskId }), ...filters },
    status,
    reason: lastError ?? (attempts > 0 && lastStatus !== null ? `it answered ${lastStatus}` : null),
    lastStatus,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    nextAttemptAt: attempts > 0 && status !== 'paused' ? webhook.nextAttemptAt.toISOString() : null,
    pausedAt: webhook.pausedAt?.toISOString() ?? null,
    earlierSecretUntil: isEarlierValid ? (webhook.earlierUntil?.toISOString() ?? null) : null,
    createdAt: webhook.createdAt.toISOString(),
  }
}

/** Returns the public form of an attempt to deliver a log entry to a webhook. */
export function toDelivery({ messageId, sentAt, ...delivery }: Delivery): z.infer<typeof deliveryOut> {
  const { kind, attempt, status, error, latencyMs } = delivery
  return { id: messageId, kind, attempt, sentAt: sentAt.toISOString(), status, error, latencyMs }
}
