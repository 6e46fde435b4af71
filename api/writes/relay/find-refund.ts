import { type AbiEvent, getAbiItem } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import type { MinedAt } from '../../db/relay.queries.ts'
import type { Deps } from '../../deps.ts'
import type { BoundIntent, PaymentAuthorization } from '../intent.ts'

const prepaidRefunded = getAbiItem({ abi: paymentForwarderAbi, name: 'PrepaidRefunded' }) as AbiEvent

/** The forwarder's word that an intent's payment went back, by whichever transaction; null when it has not said so. */
export async function findRefund(
  { chain, deployment }: Deps,
  intent: Pick<BoundIntent, 'boundAtBlock'>,
  { from, nonce }: PaymentAuthorization,
): Promise<MinedAt | null> {
  const [log] = await chain.logs({
    address: deployment.forwarder,
    event: prepaidRefunded,
    args: { payer: from, nonce },
    fromBlock: intent.boundAtBlock,
  })
  if (log === undefined) return null
  return { txHash: log.transactionHash, blockNumber: log.blockNumber, blockHash: log.blockHash }
}
