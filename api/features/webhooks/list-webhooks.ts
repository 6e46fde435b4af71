import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { listWebhooks } from '../../events/webhooks/webhooks.queries.ts'
import { address } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getReader, noIdentity } from './signed-change.ts'
import { toWebhook } from './webhooks.mapper.ts'
import { webhookListOut } from './webhooks.schemas.ts'

/**
 * Lists the webhooks of a wallet. See the interface specification, "Events and webhooks".
 *
 * Example: `GET /api/webhooks?address=0x14dC..` answers `{"webhooks": [{..}]}`.
 */
export const listWalletWebhooks = defineRoute({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/webhooks',
  tag: 'events',
  summary: 'List the webhooks of a wallet',
  description: 'For the wallet itself, by the read identity with an end; secrets are not shown again.',
  query: z.object({ address }),
  needs: ['ReadIdentity'],
  audience: 'caller',
  responses: {
    200: { description: 'The webhooks, the oldest first.', schema: webhookListOut },
    401: noIdentity,
    403: { description: 'The read identity is of another wallet.' },
  },
  handler: async (deps, { query }, c) => {
    if ((await getReader(deps, c)) !== query.address) {
      throw new ServiceError(403, 'unclassified', 'Only a wallet itself lists its webhooks.', {
        detail: 'not_this_wallet',
      })
    }
    return { webhooks: (await listWebhooks(deps.sql, query.address)).map(toWebhook) }
  },
})
