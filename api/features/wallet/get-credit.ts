import { z } from 'zod'
import { address } from '../../http/request-schemas.ts'
import { amountOut, toAmount } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { findCredit } from './credit.queries.ts'

/**
 * Returns the amount of payouts that the market holds for a wallet because the token refused to transfer them. See the
 * interface specification, "Corrections after the first build".
 *
 * Example: `GET /api/wallet/credit?address=0x14dC..` answers `{"creditBaseUnits": "1850000"}`.
 */
export const getCredit = defineRoute({
  operationId: 'getCredit',
  method: 'get',
  path: '/wallet/credit',
  tag: 'wallet',
  summary: 'Get the deferred payouts of a wallet',
  description:
    'A payout that the token refused (its receiver is blocked, for example) stays in the market as a credit of its ' +
    'owner. `POST /wallet/credit` tries to deliver it; the owner can withdraw it elsewhere by a direct call ' +
    '(`withdrawCredit` of the market).',
  query: z.object({ address }),
  responses: {
    200: {
      description: '`"0"` for a wallet without a credit.',
      schema: z.object({ creditBaseUnits: amountOut.meta({ description: 'USDC base units.' }) }).meta({ id: 'Credit' }),
    },
  },
  handler: async ({ sql }, { query }) => ({ creditBaseUnits: toAmount(await findCredit(sql, query.address)) }),
})
