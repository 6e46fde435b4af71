import { z } from 'zod'
import { amountOut, toAmount } from '../../http/response-schemas.ts'
import { findBonusTerms } from '../../read-model/bonus.queries.ts'
import { defineRoute } from '../define-route.ts'

const bps = z.int().min(0).max(10_000)

/**
 * Returns the present terms of the token bonus: the exchange rate, the worker's share of a bonus, and the size of a
 * bonus. See the specification, "Wallet".
 *
 * Example: `GET /api/wallet/exchange-rate` answers `{"tokenPerUsdc": "10000000000000000000", "workerSplitBps": 8000,
 * "bonusBps": 750}`.
 */
export const getExchangeRate = defineRoute({
  operationId: 'getExchangeRate',
  method: 'get',
  path: '/wallet/exchange-rate',
  tag: 'wallet',
  summary: 'Get the rate and the size of token bonuses',
  description:
    'In force for tasks that a worker is assigned to now, and for contests that end now: `docs/build/rewards.md`. Where the ' +
    'server has no programme of bonuses, `"0"`, 0 and 0.',
  responses: {
    200: {
      description: 'The terms of the programme.',
      schema: z
        .object({
          tokenPerUsdc: amountOut.meta({ description: 'Base units of the reward token for one USDC.' }),
          workerSplitBps: bps.meta({ description: 'The part of the worker; the rest is the requester’s.' }),
          bonusBps: bps.meta({ description: 'The part of a task’s value that becomes bonus.' }),
        })
        .meta({ id: 'ExchangeRate' }),
    },
  },
  handler: async ({ sql }) => {
    const terms = (await findBonusTerms(sql)) ?? { tokenPerUsdc: 0n, workerSplitBps: 0, bonusBps: 0 }
    return {
      tokenPerUsdc: toAmount(terms.tokenPerUsdc),
      workerSplitBps: terms.workerSplitBps,
      bonusBps: terms.bonusBps,
    }
  },
})
