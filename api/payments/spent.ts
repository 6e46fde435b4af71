import { type AbiEvent, getAbiItem } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { MinedAt } from '../chain/chain.ts'
import type { PaymentAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const prepaidRefunded = getAbiItem({ abi: paymentForwarderAbi, name: 'PrepaidRefunded' }) as AbiEvent

/**
 * Returns true if the forwarder has used this payment for a call or refunded it. The state is that of the given block,
 * by default the latest block.
 */
export async function isSpentInForwarder(
  { chain, deployment }: VerifyPorts,
  { from, nonce }: PaymentAuthorization,
  { blockNumber }: { blockNumber?: bigint } = {},
): Promise<boolean> {
  return await chain.readContract({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'spent',
    args: [from, nonce],
    ...(blockNumber !== undefined && { blockNumber }),
  })
}

/** Returns the transaction in which the forwarder refunded a payment. Null if the payment was not refunded. */
export async function findRefund(
  { chain, deployment }: VerifyPorts,
  { from, nonce }: PaymentAuthorization,
  { fromBlock }: { fromBlock: bigint },
): Promise<MinedAt | null> {
  const [log] = await chain.getLogs({
    address: deployment.forwarder,
    event: prepaidRefunded,
    args: { payer: from, nonce },
    fromBlock,
  })
  if (log === undefined) return null
  return { txHash: log.transactionHash, blockNumber: log.blockNumber, blockHash: log.blockHash }
}
