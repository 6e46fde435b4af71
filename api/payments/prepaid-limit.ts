import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { PaymentAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

/**
 * Reads the prepaid money of a payer that may still move today, base units; null: this forwarder has no limit, because
 * it predates bound payments. Example: `25_000_000n`.
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
