import { z } from 'zod'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { refuse } from '../../domain/refusal.ts'
import { address } from '../../http/request-schemas.ts'
import { amountOut, hashOut, toAmount } from '../../http/response-schemas.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { findCredit } from './credit.queries.ts'

/** Interface, "Corrections after the first build": any caller may send a deferred payout to its owner. */
export const pushCredit = defineWrite({
  operation: 'wallet.pushCredit',
  operationId: 'pushCredit',
  summary: 'Deliver the deferred payouts of a wallet',
  description:
    'Free and open to anyone: the whole credit of the wallet is sent to the wallet itself. Refused while the token ' +
    'still does not pay it. The intent has an initiator only if the read-auth headers are sent.',
  path: '/wallet/credit',
  params: z.object({}),
  body: z.object({ address: address.meta({ description: 'The wallet that the payout was deferred for.' }) }),
  response: z.object({
    txHash: hashOut,
    creditBaseUnits: amountOut.meta({ description: 'What was delivered, USDC base units.' }),
  }),
  legalExempt: true,
  load: async ({ sql }, { body }) => ({ credit: await findCredit(sql, body.address) }),
  modes: ['open'],
  charge: () => ({ amount: 0n, escrow: 0n }),
  preflight: ({ credit }, { body }) =>
    credit > 0n
      ? null
      : refuse(409, 'no_credit', `The market holds no credit for ${body.address}; there is nothing to deliver.`, {
          field: 'address',
        }),
  prepare: async ({ deployment }, _credit, { body }) => ({
    ...encodeMarketCall(deployment.market, 'pushCredit', [body.address]),
    content: {},
  }),
  result: (mined) => {
    const { amount } = getMarketEvent(mined, 'CreditWithdrawn')
    return { body: { txHash: mined.txHash, creditBaseUnits: toAmount(amount) } }
  },
})
