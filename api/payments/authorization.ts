import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { Deployment } from '../chain/deployment.ts'
import { transferTypedData } from '../chain/transfer-typed-data.ts'

/** An ERC-3009 authorization towards the forwarder, with its signature. Amount in base units, times in Unix seconds. */
export interface PaymentAuthorization {
  from: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

/** An ERC-3009 authorization towards any account. */
export interface TransferAuthorization extends PaymentAuthorization {
  to: Address
}

/**
 * What an owner has signed so that any account may submit it to `contract`: an ERC-3009 authorization of USDC, the
 * withdrawal of reward tokens from the bonus programme, which moves all that is claimable, whatever `value` is, or the
 * claim of a reward from a vault.
 */
export interface SubmittableTransfer extends TransferAuthorization {
  contract: Address
  /** The call that submits it. */
  data: Hex
}

/**
 * What became of an authorized transfer. `made`: by whatever account submitted it. `otherwise`: its nonce was used for
 * another transfer of the same owner. `unseen`: the nonce is used, and the node does not show where.
 */
export type TransferUse =
  | { use: 'unused' | 'cancelled' | 'otherwise' | 'unseen' }
  | { use: 'made'; hash: Hex; blockNumber: bigint }

/** A payment as the transfer to the forwarder that it is. */
export function toTransfer(
  { forwarder }: Pick<Deployment, 'forwarder'>,
  payment: PaymentAuthorization,
): TransferAuthorization {
  return { ...payment, to: forwarder }
}

/** What the owner of the money signed. */
export function authorizationTypedData(
  deployment: Pick<Deployment, 'chainId' | 'usdc'>,
  { from, to, value, validAfter, validBefore, nonce }: TransferAuthorization,
): TypedDataDefinition {
  return {
    ...transferTypedData(deployment),
    message: { from, to, value, validAfter, validBefore, nonce },
  } as TypedDataDefinition
}
