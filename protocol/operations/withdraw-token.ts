import type { Address, Hex } from 'viem'
import { exampleDestination, exampleNonce, exampleSignature, exampleWorker } from '../examples.ts'
import { programmeCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { ifGiven, toAddress, toBytes } from '../normalise.ts'
import { free } from '../prices.ts'
import { type TokenWithdrawal, toWithdrawalText } from '../signed/token-withdrawal.ts'

interface WithdrawTokenRequest {
  workerAddress: string
  /** Account that receives the tokens; the wallet's registered withdrawal address unless given. */
  destination?: string | undefined
  nonce: string
  /** End of the validity of the account's signature, Unix seconds. */
  validBefore: string | number
  signature: string
}

/**
 * Withdraws all reward tokens that a wallet can claim (specification, "Wallet"; interface specification, "Wallet").
 * Example: the call `withdrawFor(account, destination, nonce, validBefore, signature)` of the bonus programme, which is
 * free.
 */
export const withdrawToken = programmeCall('withdrawFor')({
  name: 'wallet.withdrawToken',
  operationId: 'withdrawToken',
  path: '/wallet/withdraw-token',
  actorField: 'workerAddress',
  legalExempt: true,
  facts: ['programme'],
  normalise: ({ workerAddress, destination, nonce, validBefore, signature }: WithdrawTokenRequest) => ({
    workerAddress: toAddress(workerAddress),
    destination: ifGiven(destination, toAddress),
    nonce: toBytes(nonce),
    validBefore: BigInt(validBefore),
    signature: toBytes(signature),
  }),
  target: ({ facts }) => facts.programme,
  ownerSigned: {
    signer: ({ workerAddress }) => workerAddress,
    signature: ({ signature }) => signature,
    message: (input) => ({ text: toWithdrawalText(withdrawalOf(input)) }),
    id: ({ nonce }) => nonce,
    validBefore: ({ validBefore }) => validBefore,
  },
  args: (input) => {
    const { account, destination, nonce, validBefore } = withdrawalOf(input)
    return [account, destination, nonce, validBefore, input.signature]
  },
  price: free,
  decides: () => [{ asset: 'rewardToken', amount: 'all' }],
})

function withdrawalOf(input: {
  workerAddress: Address
  destination: Address | undefined
  nonce: Hex
  validBefore: bigint
}): TokenWithdrawal {
  const { workerAddress: account, destination, nonce, validBefore } = input
  if (destination === undefined) throw new Error('the destination of a withdrawal was not set')
  return { account, destination, nonce, validBefore }
}

export const withdrawTokenListing: ListingOf<typeof withdrawToken> = {
  summary: 'Withdraw the reward tokens of a wallet',
  description:
    'Free: the service submits the message that the wallet signed, and pays the gas. All that is claimable moves. Any ' +
    'account can submit the same message, and the write then completes with that transaction. At most 20 withdrawals a ' +
    'day for a wallet, those of USDC included.',
  gas: { typicalGas: 180_000, gasCeiling: 400_000, freeBudget: 'exits' },
  // The programme reads its balance from the token with a fixed amount of gas (BonusReserve.sol).
  allowance: () => ({ outsideGas: 150_000n }),
  example: {
    workerAddress: exampleWorker,
    destination: exampleDestination,
    nonce: exampleNonce,
    validBefore: '1795694400',
    signature: exampleSignature,
  },
}
