import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { findWebhook } from '../../events/webhooks/webhooks.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getChangedWebhook, noWebhook } from './signed-change.ts'
import { changedOut, changeErrors, deliveryOut, signedChange, webhookParams } from './webhooks.schemas.ts'

/**
 * Sends a test message to a webhook at once and returns the result. See the interface specification, "Events and
 * webhooks".
 *
 * Example: `POST /api/webhooks/dfe5../test` with `{"timestamp": 1795924831, "signature": "0xb830.."}` answers
 * `{"webhookId": "dfe5..", "status": "active", "isAnswered": true, "delivery": {"status": 200, "error": null, ..}}`.
 */
export const testWebhook = defineRoute({
  operationId: 'testWebhook',
  method: 'post',
  path: '/webhooks/{webhookId}/test',
  tag: 'events',
  summary: 'Have a test delivered to a webhook now',
  description: 'An unverified webhook becomes active when the answer has the challenge. Others stay as they are.',
  params: webhookParams,
  body: signedChange('test'),
  rateLimit: 'webhookTests',
  responses: {
    200: {
      description: 'What came of it.',
      schema: changedOut.extend({
        isAnswered: z.boolean().meta({ description: 'The answer was 2xx with the challenge.' }),
        delivery: deliveryOut.pick({ status: true, error: true, latencyMs: true }),
      }),
    },
    ...changeErrors,
    503: { description: 'Another delivery to this host is under way.' },
  },
  handler: async (deps, { params: { webhookId }, body }) => {
    await getChangedWebhook(deps, { verb: 'test', webhookId }, body)
    const outcome = await deps.webhooks.test({ id: webhookId, lease: randomUUID() })
    if (outcome === null) {
      const headers = { 'Retry-After': '10' }
      const message = 'Another delivery to this host is under way; ask again in 10 seconds.'
      throw new ServiceError(503, 'unclassified', message, { detail: 'webhook_busy', headers, isRefusal: true })
    }
    const webhook = await findWebhook(deps.sql, webhookId)
    if (webhook === null) throw noWebhook()
    const { isAnswered, status, error, latencyMs } = outcome
    return { webhookId, status: webhook.status, isAnswered, delivery: { status, error, latencyMs } }
  },
})
