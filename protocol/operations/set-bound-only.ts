import { type BoundOnlySwitch, boundOnlyText, requestHashOf } from '../bound-call.ts'
import { nothing } from '../decisions.ts'
import { exampleSignature, exampleWorker } from '../examples.ts'
import { switchCall } from '../kinds.ts'
import type { ListingOf } from '../listing.ts'
import { toAddress, toBytes } from '../normalise.ts'
import { free } from '../prices.ts'

interface SetBoundOnlyRequest {
  walletAddress: string
  boundOnly: boolean
  /** The counter that the forwarder expects in the wallet's next signed change of the setting, as a decimal string. */
  counter: string
  /** End of the validity of the wallet's signature, Unix seconds. */
  validBefore: number
  signature: string
}

/** A normalised request that turns a wallet's bound-only setting on or off. */
type Switch = ReturnType<typeof normalise>

/**
 * Changes a wallet's bound-only setting (interface specification, "Bound payments"). While the setting is on, the
 * forwarder accepts only bound payments and call-bound messages from the wallet. The write is free.
 * Example: the call `setBoundOnlyFor(wallet, isOn, counter, validBefore, signature)` of the forwarder.
 */
export const setBoundOnly = switchCall('setBoundOnlyFor')({
  name: 'wallet.boundOnly',
  operationId: 'setBoundOnly',
  path: '/wallet/bound-only',
  legalExempt: true,
  actorField: 'walletAddress',
  facts: [],
  normalise,
  target: ({ deployment }) => deployment.forwarder,
  ownerSigned: {
    signer: ({ walletAddress }) => walletAddress,
    signature: ({ signature }) => signature,
    message: (input, { deployment }) => ({ text: boundOnlyText(deployment, switchOf(input)) }),
    id: (input, { deployment }) => requestHashOf(boundOnlyText(deployment, switchOf(input))),
    validBefore: ({ validBefore }) => validBefore,
  },
  args: ({ walletAddress, boundOnly, counter, validBefore, signature }) => [
    walletAddress,
    boundOnly,
    counter,
    validBefore,
    signature,
  ],
  price: free,
  decides: nothing,
})

function normalise({ walletAddress, boundOnly, counter, validBefore, signature }: SetBoundOnlyRequest) {
  return {
    walletAddress: toAddress(walletAddress),
    boundOnly,
    counter: BigInt(counter),
    validBefore: BigInt(validBefore),
    signature: toBytes(signature),
  }
}

/**
 * Returns the change that a normalised request makes to a wallet's bound-only setting.
 * Example: `{ wallet: '0xa1..', isOn: true, counter: 0n, validBefore: 1_795_694_400n }`.
 */
export function switchOf({ walletAddress, boundOnly, counter, validBefore }: Switch): BoundOnlySwitch {
  return { wallet: walletAddress, isOn: boundOnly, counter, validBefore }
}

export const setBoundOnlyListing: ListingOf<typeof setBoundOnly> = {
  summary: 'Let a wallet take bound payments and call-bound texts alone',
  description:
    'Free: the service submits the switch that the wallet signed, and pays the gas. While it is on, plain payments of the ' +
    'wallet are refused (`bound_only`), also by the forwarder, so that stock x402 clients cannot pay with it. Any account ' +
    'can submit the same switch, and the write then completes with that transaction.',
  gas: { typicalGas: 120_000, gasCeiling: 350_000, freeBudget: 'entries' },
  example: {
    walletAddress: exampleWorker,
    boundOnly: true,
    counter: '0',
    validBefore: 1_795_694_400,
    signature: exampleSignature,
  },
}
