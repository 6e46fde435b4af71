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

/** What the payer of an authorization towards the forwarder signed. */
export function authorizationTypedData(
  deployment: Pick<Deployment, 'chainId' | 'usdc' | 'forwarder'>,
  payment: PaymentAuthorization,
): TypedDataDefinition {
  const { from, value, validAfter, validBefore, nonce } = payment
  return {
    ...transferTypedData(deployment),
    message: { from, to: deployment.forwarder, value, validAfter, validBefore, nonce },
  } as TypedDataDefinition
}
