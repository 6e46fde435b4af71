import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { publicKeyOut } from '../../http/public-key.ts'
import { address } from '../../http/request-schemas.ts'
import { toPublicKey } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { findPublicKey } from './public-keys.queries.ts'

/**
 * Returns the public key that a wallet published. Senders encrypt messages to the wallet with this key. See the
 * specification, "Agents and identity".
 *
 * Example: `GET /api/agents/public-key?address=0x14dC..` answers `{"publicKey": "0279be667ef9dcbb.."}`.
 */
export const getPublicKey = defineRoute({
  operationId: 'getPublicKey',
  method: 'get',
  path: '/agents/public-key',
  tag: 'agents',
  summary: 'Get the published key of a wallet',
  description:
    'The key that others encrypt to: the last that the wallet published. Tasks have it as `requesterPubkey`.',
  query: z.object({ address }),
  responses: {
    200: { description: 'The key.', schema: z.object({ publicKey: publicKeyOut }) },
    404: { description: 'The wallet has published no key.' },
  },
  handler: async ({ sql }, { query }) => {
    const publicKey = await findPublicKey(sql, query.address)
    if (publicKey === null)
      throw new ServiceError(404, 'unclassified', 'This wallet has published no key.', {
        detail: 'public_key_not_found',
      })
    return { publicKey: toPublicKey(publicKey) }
  },
})
