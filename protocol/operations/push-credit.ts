import { nothing } from '../decisions.ts'
import { exampleWorker } from '../examples.ts'
import { marketCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress } from '../normalise.ts'
import { free } from '../prices.ts'

/**
 * Pays out the credit of an account. A credit is the sum of the account's payouts that USDC refused to transfer. Any
 * account may send this call for free (interface specification, "Corrections after the first build").
 * Example: the call `pushCredit(account)` of the market.
 */
export const pushCredit = marketCall('pushCredit')({
  name: 'wallet.pushCredit',
  operationId: 'pushCredit',
  path: '/wallet/credit',
  legalExempt: true,
  modes: ['open'],
  facts: [],
  normalise: ({ address }: { address: string }) => ({ address: toAddress(address) }),
  args: ({ address }) => [address],
  price: free,
  decides: nothing,
})

export const pushCreditListing: ListingOf<typeof pushCredit> = {
  summary: 'Deliver the deferred payouts of a wallet',
  description:
    'Free and open to anyone: the whole credit of the wallet is sent to the wallet itself. Refused while the token ' +
    'still does not pay it. The intent has an initiator only if the read-auth headers are sent.',
  gas: { typicalGas: 150_000, gasCeiling: 350_000, freeBudget: 'exits' },
  example: { address: exampleWorker },
}
