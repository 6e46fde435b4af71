import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { PaymentAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

/**
 * Returns how much prepaid money of a payer the forwarder may still move today (UTC), in base units of USDC. Money is
 * prepaid if it reached the forwarder before the call that it pays for. If the deployment accepts no bound payments,
 * returns null, because the deployment's forwarder does not limit prepaid money. Example: `25_000_000n`.
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
