import { type AbiEvent, getAbiItem } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { MinedAt } from '../chain/chain.ts'
import type { PaymentAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const prepaidRefunded = getAbiItem({ abi: paymentForwarderAbi, name: 'PrepaidRefunded' }) as AbiEvent

/** Whether the forwarder acted with this payment, or gave it back: now, or after a block. */
export async function isSpentInForwarder(
  { chain, deployment }: VerifyPorts,
  { from, nonce }: PaymentAuthorization,
  { blockNumber }: { blockNumber?: bigint } = {},
): Promise<boolean> {
  return await chain.read({
    address: deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'spent',
    args: [from, nonce],
    ...(blockNumber !== undefined && { blockNumber }),
  })
}

/** The forwarder's word that a payment went back, by whichever transaction; null when it has not said so. */
export async function findRefund(
  { chain, deployment }: VerifyPorts,
  { from, nonce }: PaymentAuthorization,
  { fromBlock }: { fromBlock: bigint },
): Promise<MinedAt | null> {
  const [log] = await chain.logs({
    address: deployment.forwarder,
    event: prepaidRefunded,
    args: { payer: from, nonce },
    fromBlock,
  })
  if (log === undefined) return null
  return { txHash: log.transactionHash, blockNumber: log.blockNumber, blockHash: log.blockHash }
}
