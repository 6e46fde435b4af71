import { z } from 'zod'
import { address } from '../../http/request-schemas.ts'
import { amountOut, toAmount } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'

const USDC_DECIMALS = 6

/**
 * Returns the USDC balance of a wallet. See the interface specification, "Identity, devices, wallet".
 *
 * Example: `GET /api/wallet/balance?address=0x14dC..` answers `{"balanceBaseUnits": "10073102000", "balanceUsdc":
 * "10073.102000"}`.
 */
export const getBalance = defineRoute({
  operationId: 'getBalance',
  method: 'get',
  path: '/wallet/balance',
  tag: 'wallet',
  summary: 'Get the USDC balance of a wallet',
  description: 'Read from the chain now. Credits that the market holds are in `GET /wallet/credit`.',
  query: z.object({ address }),
  responses: {
    200: {
      description: 'What the wallet itself has.',
      schema: z
        .object({
          balanceBaseUnits: amountOut.meta({ description: 'USDC base units.' }),
          balanceUsdc: z.string().meta({ description: 'The same in USDC, with six decimals.', example: '12.500000' }),
        })
        .meta({ id: 'Balance' }),
    },
  },
  handler: async ({ chain }, { query }) => {
    const balance = await chain.usdcBalance(query.address)
    return { balanceBaseUnits: toAmount(balance), balanceUsdc: toDecimal(balance) }
  },
})

function toDecimal(baseUnits: bigint): string {
  const digits = baseUnits.toString().padStart(USDC_DECIMALS + 1, '0')
  return `${digits.slice(0, -USDC_DECIMALS)}.${digits.slice(-USDC_DECIMALS)}`
}
