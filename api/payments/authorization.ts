import type { Address, Hex, TypedDataDefinition } from 'viem'
import { isBound, type Payment } from '../../protocol/relay.ts'
import { authorizationTypes, type UsdcPlace } from '../../protocol/signed/transfer-authorization.ts'
import type { Deployment } from '../chain/deployment.ts'

/** An ERC-3009 authorization towards the forwarder, with its signature. Amount in base units, times in Unix seconds. */
export type PaymentAuthorization = Payment

/** An ERC-3009 authorization towards any account. */
export interface TransferAuthorization extends PaymentAuthorization {
  to: Address
}

/**
 * The outcome of a signed call. `made`: submitted by some account. `otherwise`: its nonce was used for another call of
 * the same owner. `unseen`: the nonce is used, and the node does not show where.
 */
export type SubmissionUse =
  | { use: 'unused' | 'cancelled' | 'otherwise' | 'unseen' }
  | { use: 'made'; hash: Hex; blockNumber: bigint }

/** Returns a payment as a transfer to the forwarder. */
export function toTransfer(
  { forwarder }: Pick<Deployment, 'forwarder'>,
  payment: PaymentAuthorization,
): TransferAuthorization {
  return { ...payment, to: forwarder }
}

/** Returns the typed data that the payer signs. A bound payment has the form that only its receiver can submit. */
export function authorizationTypedData(deployment: UsdcPlace, transfer: TransferAuthorization): TypedDataDefinition {
  const { from, to, value, validAfter, validBefore, nonce } = transfer
  return {
    ...authorizationTypes(deployment, isBound(transfer) ? 'ReceiveWithAuthorization' : 'TransferWithAuthorization'),
    message: { from, to, value, validAfter, validBefore, nonce },
  } as TypedDataDefinition
}
