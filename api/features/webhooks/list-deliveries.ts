import { findWebhook, listDeliveries } from '../../events/webhooks/webhooks.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getReader, noIdentity, noWebhook } from './signed-change.ts'
import { toDelivery } from './webhooks.mapper.ts'
import { deliveriesOut, webhookParams } from './webhooks.schemas.ts'

/**
 * Lists the latest attempts to deliver log entries to a webhook. See the interface specification, "Events and
 * webhooks".
 *
 * Example: `GET /api/webhooks/dfe5../deliveries` answers `{"deliveries": [{..}, ..]}`.
 */
export const listWebhookDeliveries = defineRoute({
  operationId: 'listWebhookDeliveries',
  method: 'get',
  path: '/webhooks/{webhookId}/deliveries',
  tag: 'events',
  summary: 'List the last deliveries of a webhook',
  description: 'For its wallet, by the read identity with an end.',
  params: webhookParams,
  needs: ['ReadIdentity'],
  audience: 'caller',
  responses: {
    200: { description: 'The attempts, with status and latency.', schema: deliveriesOut },
    401: noIdentity,
    404: { description: 'The wallet has no webhook of this id.' },
  },
  handler: async (deps, { params: { webhookId } }, c) => {
    const reader = await getReader(deps, c)
    const webhook = await findWebhook(deps.sql, webhookId)
    if (webhook === null || webhook.wallet !== reader) throw noWebhook()
    return { deliveries: (await listDeliveries(deps.sql, webhookId)).map(toDelivery) }
  },
})
