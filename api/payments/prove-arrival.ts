import { type AbiEvent, type Address, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import { ChainUnavailable, type MinedTransaction } from '../chain/chain.ts'
import type { PaymentAuthorization } from '../writes/intent.ts'
import type { VerifyPorts } from './verify.ts'

const authorizationUsed = getAbiItem({ abi: usdcAbi, name: 'AuthorizationUsed' }) as AbiEvent
const authorizationCanceled = getAbiItem({ abi: usdcAbi, name: 'AuthorizationCanceled' }) as AbiEvent

/**
 * What the logs prove about a nonce that is not free any more. Unproven: it was used, and not for this transfer. Unseen:
 * the node shows nothing about it from that block on; where the nonce was free then, the node lags.
 */
export type Arrival =
  | { outcome: 'arrived' | 'cancelled' | 'unproven'; transaction: Hex }
  | { outcome: 'unseen'; transaction: null }

/**
 * Finds out what became of an authorization whose nonce is taken. A taken nonce alone proves nothing: cancelling takes
 * it too, and so does a second authorization of the same nonce to somebody else. The money arrived when the log right
 * after `AuthorizationUsed` is the transfer of exactly this value to the forwarder: USDC writes the two together, so a
 * transfer elsewhere in the transaction belongs to another authorization and is never counted for this one.
 *
 * @param fromBlock no event about it is older than this block
 * @throws ChainUnavailable
 */
export async function proveArrival(
  { chain, deployment }: VerifyPorts,
  payment: PaymentAuthorization,
  { fromBlock }: { fromBlock: bigint },
): Promise<Arrival> {
  const about = {
    address: deployment.usdc,
    args: { authorizer: payment.from, nonce: payment.nonce },
    fromBlock,
  }
  const used = await chain.logs({ ...about, event: authorizationUsed })
  for (const log of used) {
    const mined = await chain.receipt(log.transactionHash)
    if (mined?.succeeded !== true || mined.blockHash !== log.blockHash) {
      throw new ChainUnavailable(`the node shows a log of ${log.transactionHash} and not its receipt`)
    }
    const next = mined.logs.find(({ logIndex }) => logIndex === log.logIndex + 1)
    if (next !== undefined && isTransferOf(next, payment, deployment)) {
      return { outcome: 'arrived', transaction: mined.hash }
    }
  }
  const [last] = used.slice(-1)
  if (last !== undefined) return { outcome: 'unproven', transaction: last.transactionHash }
  const [cancelled] = await chain.logs({ ...about, event: authorizationCanceled })
  if (cancelled !== undefined) return { outcome: 'cancelled', transaction: cancelled.transactionHash }
  return { outcome: 'unseen', transaction: null }
}

function isTransferOf(
  log: MinedTransaction['logs'][number],
  payment: PaymentAuthorization,
  { usdc, forwarder }: { usdc: Address; forwarder: Address },
): boolean {
  const [transfer] = parseEventLogs({ abi: usdcAbi, eventName: 'Transfer', logs: [log] })
  return (
    transfer !== undefined &&
    transfer.address.toLowerCase() === usdc &&
    transfer.args.from.toLowerCase() === payment.from &&
    transfer.args.to.toLowerCase() === forwarder &&
    transfer.args.value === payment.value
  )
}
