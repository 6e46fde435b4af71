import { z } from 'zod'
import { address } from '../../http/request-schemas.ts'
import { amountOut, toAmount } from '../../http/response-schemas.ts'
import { findClaimable } from '../../read-model/bonus.queries.ts'
import { defineRoute } from '../define-route.ts'

/**
 * Returns the token bonus that a wallet can withdraw. See the specification, "Wallet".
 *
 * Example: `GET /api/wallet/token-balance?address=0x14dC..` answers `{"claimableBaseUnits": "48720000000000000000"}`.
 */
export const getTokenBalance = defineRoute({
  operationId: 'getTokenBalance',
  method: 'get',
  path: '/wallet/token-balance',
  tag: 'wallet',
  summary: 'Get the token bonus that a wallet can withdraw',
  description: 'Credited by completed tasks and not withdrawn yet: `docs/build/rewards.md`.',
  query: z.object({ address }),
  responses: {
    200: {
      description: '`"0"` for a wallet without a bonus.',
      schema: z
        .object({ claimableBaseUnits: amountOut.meta({ description: 'Base units of the reward token.' }) })
        .meta({ id: 'TokenBalance' }),
    },
  },
  handler: async ({ sql }, { query }) => ({ claimableBaseUnits: toAmount(await findClaimable(sql, query.address)) }),
})
