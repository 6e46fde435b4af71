import type { TypedDataDefinition } from 'viem'
import type { Deployment } from '../chain/deployment.ts'
import { transferTypedData } from '../chain/transfer-typed-data.ts'
import type { PaymentAuthorization } from '../writes/intent.ts'

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
