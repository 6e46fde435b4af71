import type { Address, Hex, TypedDataDefinition } from 'viem'
import { isBound, type Payment } from '../../protocol/relay.ts'
import { authorizationTypes, type UsdcPlace } from '../../protocol/signed/transfer-authorization.ts'
import type { Deployment } from '../chain/deployment.ts'

/**
 * An ERC-3009 authorization to pay the forwarder, with the payer's signature. The amount is in base units of USDC.
 * Times are in Unix seconds.
 */
export type PaymentAuthorization = Payment

/** An ERC-3009 authorization with its recipient `to`, which may be any account. */
export interface TransferAuthorization extends PaymentAuthorization {
  to: Address
}

/**
 * The use of the nonce in a call that its owner signed (such as a withdrawal of reward tokens).
 * - `unused`: the nonce is not used.
 * - `made`: an account submitted this call.
 * - `cancelled`: the owner cancelled the nonce.
 * - `otherwise`: a different call of the same owner used the nonce.
 * - `unseen`: the nonce is used, but the node returns no event that shows by which call.
 */
export type SubmissionUse =
  | { use: 'unused' | 'cancelled' | 'otherwise' | 'unseen' }
  | { use: 'made'; hash: Hex; blockNumber: bigint }

/** Returns a payment as a transfer authorization whose receiver is the forwarder. */
export function toTransfer(
  { forwarder }: Pick<Deployment, 'forwarder'>,
  payment: PaymentAuthorization,
): TransferAuthorization {
  return { ...payment, to: forwarder }
}

/**
 * Returns the typed data that the payer signs. The type is `ReceiveWithAuthorization` for a bound payment and
 * `TransferWithAuthorization` for a plain payment. Only the receiver can submit a `ReceiveWithAuthorization`.
 */
export function authorizationTypedData(deployment: UsdcPlace, transfer: TransferAuthorization): TypedDataDefinition {
  const { from, to, value, validAfter, validBefore, nonce } = transfer
  return {
    ...authorizationTypes(deployment, isBound(transfer) ? 'ReceiveWithAuthorization' : 'TransferWithAuthorization'),
    message: { from, to, value, validAfter, validBefore, nonce },
  } as TypedDataDefinition
}
