import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { findLogBounds, isKnownPlace } from '../../events/read-events.queries.ts'
import { parseEventId } from '../../events/render-event.ts'
import { replayFrom } from '../../events/webhooks/webhooks.queries.ts'
import { invalidRequest } from '../../http/parse.ts'
import { defineRoute } from '../define-route.ts'
import { getChangedWebhook, repeatedChange } from './signed-change.ts'
import { changedOut, changeErrors, signedChange, webhookParams } from './webhooks.schemas.ts'

/**
 * Makes a webhook deliver again all log entries that follow a given entry. See the interface specification, "Events and
 * webhooks".
 *
 * Example: `POST /api/webhooks/dfe5../replay` with `{"after": "de1553a2dc97-1", "timestamp": 1795924834, "signature":
 * "0x7bb5.."}` answers `{"webhookId": "dfe5..", "status": "active"}`.
 */
export const replayWebhook = defineRoute({
  operationId: 'replayWebhook',
  method: 'post',
  path: '/webhooks/{webhookId}/replay',
  tag: 'events',
  summary: 'Have entries delivered again',
  description: 'Deliveries go on behind `after`, an id of an entry or `next` of a page. A paused webhook stays paused.',
  params: webhookParams,
  body: signedChange('replay').extend({
    after: z.string().max(40).meta({ description: 'Example: `9f2c4e7a10b3-42`.' }),
  }),
  responses: {
    200: { description: 'The entries behind it are delivered again.', schema: changedOut },
    ...changeErrors,
    409: { description: 'A change of this timestamp or a later one was taken before; nothing changed.' },
    410: { description: 'The place is not kept any more, or ids were begun anew (detail `events_gone`).' },
  },
  handler: async (deps, { params: { webhookId }, body: { after, ...change } }) => {
    const place = parseEventId(after)
    if (place === null) throw invalidRequest([{ path: 'after', message: 'must be an id of an event' }])
    const { status } = await getChangedWebhook(deps, { verb: 'replay', webhookId }, change)
    const bounds = await findLogBounds(deps.sql)
    if (bounds === null || !isKnownPlace(bounds, place)) {
      const message = 'after: this place of the log is not known any more. Read the log by GET /api/events?fromBlock=.'
      throw new ServiceError(410, 'unclassified', message, { detail: 'events_gone' })
    }
    if (!(await replayFrom(deps.sql, { id: webhookId, after: place.sequence, signedAt: change.timestamp }))) {
      throw repeatedChange()
    }
    return { webhookId, status }
  },
})
