import { z } from 'zod'
import { makeSecret } from '../../events/webhooks/webhook-secret.ts'
import { rotateSecret } from '../../events/webhooks/webhooks.queries.ts'
import { timestampOut } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getChangedWebhook, repeatedChange } from './signed-change.ts'
import { changeErrors, secretOut, signedChange, webhookParams } from './webhooks.schemas.ts'

/** The time in seconds for which the earlier secret still signs deliveries: a day. */
const OVERLAP_SECONDS = 86_400

/**
 * Creates a new secret for a webhook and returns it. See the interface specification, "Events and webhooks".
 *
 * Example: `POST /api/webhooks/dfe5../rotate` with `{"timestamp": 1795924832, "signature": "0xb03a.."}` answers
 * `{"webhookId": "dfe5..", "secret": "whsec_0HKIQEhnZ7..", "earlierSecretUntil": "2026-11-30T04:00:29.388Z"}`.
 */
export const rotateWebhookSecret = defineRoute({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/webhooks/{webhookId}/rotate',
  tag: 'events',
  summary: 'Get a new secret for a webhook',
  description:
    'For a day each delivery has two signatures, of the new secret and of the one before it: the receiver can change in between.',
  params: webhookParams,
  body: signedChange('rotate'),
  responses: {
    200: {
      description: 'The new secret.',
      schema: z.object({ webhookId: z.uuid(), secret: secretOut, earlierSecretUntil: timestampOut }),
    },
    ...changeErrors,
    409: { description: 'A change of this timestamp or a later one was taken before; nothing changed.' },
  },
  handler: async (deps, { params: { webhookId }, body }, c) => {
    await getChangedWebhook(deps, { verb: 'rotate', webhookId }, body)
    const { shown, sealed } = makeSecret(deps.config, webhookId)
    const change = { id: webhookId, sealed, overlapSeconds: OVERLAP_SECONDS, signedAt: body.timestamp }
    const until = await rotateSecret(deps.sql, change)
    if (until === null) throw repeatedChange()
    c.header('Cache-Control', 'no-store')
    return { webhookId, secret: shown, earlierSecretUntil: until.toISOString() }
  },
})
