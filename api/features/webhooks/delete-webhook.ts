import { z } from 'zod'
import { deleteWebhook } from '../../events/webhooks/webhooks.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getChangedWebhook } from './signed-change.ts'
import { changeErrors, signedChange, webhookParams } from './webhooks.schemas.ts'

/**
 * Deletes a webhook. See the interface specification, "Events and webhooks".
 *
 * Example: `DELETE /api/webhooks/dfe5..` with `{"timestamp": 1795924835, "signature": "0x7e13.."}` answers `{"success":
 * true}`.
 */
export const deleteWalletWebhook = defineRoute({
  operationId: 'deleteWebhook',
  method: 'delete',
  path: '/webhooks/{webhookId}',
  tag: 'events',
  summary: 'Delete a webhook',
  description: 'A delivery that is under way is finished; none follows.',
  params: webhookParams,
  body: signedChange('delete'),
  responses: {
    200: { description: 'It is deleted, with its secrets.', schema: z.object({ success: z.literal(true) }) },
    ...changeErrors,
  },
  handler: async (deps, { params: { webhookId }, body }) => {
    await getChangedWebhook(deps, { verb: 'delete', webhookId }, body)
    await deleteWebhook(deps.sql, webhookId)
    return { success: true as const }
  },
})
