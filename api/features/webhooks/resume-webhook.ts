import { ServiceError } from '../../errors/service-error.ts'
import { resumeWebhook } from '../../events/webhooks/webhooks.queries.ts'
import { defineRoute } from '../define-route.ts'
import { getChangedWebhook } from './signed-change.ts'
import { changedOut, changeErrors, signedChange, webhookParams } from './webhooks.schemas.ts'

/**
 * Resumes a paused webhook. See the interface specification, "Events and webhooks".
 *
 * Example: `POST /api/webhooks/dfe5../resume` with `{"timestamp": 1795924833, "signature": "0x7f5b.."}` answers
 * `{"webhookId": "dfe5..", "status": "active"}`.
 */
export const resumePausedWebhook = defineRoute({
  operationId: 'resumeWebhook',
  method: 'post',
  path: '/webhooks/{webhookId}/resume',
  tag: 'events',
  summary: 'Go on with a paused webhook',
  description:
    'Deliveries go on where they ended. Entries that are not kept any more are told by one delivery of kind `gap`. An active webhook ' +
    'stays as it is.',
  params: webhookParams,
  body: signedChange('resume'),
  responses: {
    200: { description: 'It is active.', schema: changedOut },
    ...changeErrors,
    409: { description: 'Its URL has answered no test yet.' },
  },
  handler: async (deps, { params: { webhookId }, body }) => {
    const { status } = await getChangedWebhook(deps, { verb: 'resume', webhookId }, body)
    if (status === 'unverified') {
      throw new ServiceError(
        409,
        'unclassified',
        'The URL has answered no test yet: have one sent by its route `test`.',
        { detail: 'webhook_unverified' },
      )
    }
    await resumeWebhook(deps.sql, webhookId)
    return { webhookId, status: 'active' as const }
  },
})
