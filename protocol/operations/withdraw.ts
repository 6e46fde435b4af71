import { exampleDestination, exampleNonce, exampleSignature, exampleWorker } from '../examples.ts'
import { usdcCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toAmount, toBytes } from '../normalise.ts'
import { free } from '../prices.ts'
import { transferTypedData } from '../signed/transfer-authorization.ts'

interface WithdrawRequest {
  /** The wallet whose USDC is withdrawn. */
  from: string
  /** Amount of the withdrawal, USDC base units. */
  amountBaseUnits: string
  authorization: {
    from: string
    to: string
    /** Amount of the authorized transfer, USDC base units. */
    value: string
    /** Start of the authorization's validity, Unix seconds. */
    validAfter: string
    /** End of the authorization's validity, Unix seconds. */
    validBefore: string
    nonce: string
  }
  signature: string
}

/**
 * Withdraws USDC to the wallet's registered withdrawal address (specification, "Wallet"; interface specification,
 * "Wallet").
 * Example: the call `transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, signature)` of USDC
 * with a value of 5_000_000n base units (5 USDC). The withdrawal is free.
 */
export const withdraw = usdcCall('transferWithAuthorization')({
  name: 'wallet.withdraw',
  operationId: 'withdraw',
  path: '/wallet/withdraw',
  actorField: 'from',
  legalExempt: true,
  facts: [],
  normalise: ({ from, amountBaseUnits, authorization, signature }: WithdrawRequest) => ({
    from: toAddress(from),
    amountBaseUnits: toAmount(amountBaseUnits),
    authorization: {
      from: toAddress(authorization.from),
      to: toAddress(authorization.to),
      value: toAmount(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: toBytes(authorization.nonce),
    },
    signature: toBytes(signature),
  }),
  target: ({ deployment }) => deployment.usdc,
  ownerSigned: {
    signer: ({ authorization }) => authorization.from,
    signature: ({ signature }) => signature,
    message: ({ authorization }, { deployment }) => ({
      typedData: { ...transferTypedData(deployment), message: authorization },
    }),
    id: ({ authorization }) => authorization.nonce,
    validBefore: ({ authorization }) => authorization.validBefore,
  },
  args: ({ authorization: { from, to, value, validAfter, validBefore, nonce }, signature }) => [
    from,
    to,
    value,
    validAfter,
    validBefore,
    nonce,
    signature,
  ],
  price: free,
  decides: ({ authorization }) => [{ asset: 'usdc', amount: authorization.value }],
})

export const withdrawListing: ListingOf<typeof withdraw> = {
  summary: 'Withdraw USDC to the registered address',
  description:
    'Free: the service sends the transfer that the wallet authorized, and pays its gas. It goes to the registered ' +
    'withdrawal address only; any account can submit the same authorization to USDC, and the write then completes ' +
    'with that transaction. At most 20 withdrawals a day for a wallet.',
  gas: { typicalGas: 120_000, gasCeiling: 350_000, freeBudget: 'exits' },
  example: {
    from: exampleWorker,
    amountBaseUnits: '5000000',
    authorization: {
      from: exampleWorker,
      to: exampleDestination,
      value: '5000000',
      validAfter: '0',
      validBefore: '1795694400',
      nonce: exampleNonce,
    },
    signature: exampleSignature,
  },
}
