import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { PaymentAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

/**
 * Returns how much prepaid money of a payer the forwarder may still move today (UTC), in base units of USDC. Prepaid
 * money is the money of a payment that was submitted to USDC before the payment's call. Returns null if the deployment
 * accepts no bound payments: the forwarder of such a deployment does not limit prepaid money. Example: `25_000_000n`.
 * @throws ChainUnavailable
 */
export async function findPrepaidLeft(
  { chain, deployment }: VerifyPorts,
  { from }: Pick<PaymentAuthorization, 'from'>,
  { blockNumber }: { blockNumber?: bigint } = {},
): Promise<bigint | null> {
  if (deployment.bound !== true) return null
  return await chain.readContract({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'prepaidLeft',
    args: [from],
    ...(blockNumber !== undefined && { blockNumber }),
  })
}
