import { z } from 'zod'
import { pushCredit as entry } from '../../../protocol/operations/push-credit.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { refuse } from '../../domain/refusal.ts'
import { addressText } from '../../http/request-schemas.ts'
import { amountOut, hashOut, toAmount } from '../../http/response-schemas.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { findCredit } from './credit.queries.ts'

/**
 * Tries again to pay out the failed payouts that the market holds for a wallet. Any caller may request this payout. See
 * the interface specification, "Corrections after the first build".
 *
 * Example: `POST /api/wallet/credit` with `{"address": "0x2361.."}` answers `{"txHash": "0x1267..", "creditBaseUnits":
 * "1850000"}`.
 */
export const pushCredit = defineWrite(entry, {
  body: z.object({ address: addressText.meta({ description: 'The wallet that the payout was deferred for.' }) }),
  response: z.object({
    txHash: hashOut,
    creditBaseUnits: amountOut.meta({ description: 'What was delivered, USDC base units.' }),
  }),
  load: async ({ sql }, { address }) => ({ credit: await findCredit(sql, address) }),
  facts: {},
  preflight: ({ credit }, { address }) =>
    credit > 0n
      ? null
      : refuse(409, 'no_credit', `The market holds no credit for ${address}; there is nothing to deliver.`, {
          field: 'address',
        }),
  result: (minedWrite) => {
    const { amount } = getMarketEvent(minedWrite, 'CreditWithdrawn')
    return { body: { txHash: minedWrite.txHash, creditBaseUnits: toAmount(amount) } }
  },
})
