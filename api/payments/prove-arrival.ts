import { type AbiEvent, type Address, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import { ChainUnavailable, type MinedTransaction } from '../chain/chain.ts'
import type { PaymentAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const authorizationUsed = getAbiItem({ abi: usdcAbi, name: 'AuthorizationUsed' }) as AbiEvent
const authorizationCanceled = getAbiItem({ abi: usdcAbi, name: 'AuthorizationCanceled' }) as AbiEvent

/**
 * What the logs prove about a nonce that is not free any more. Elsewhere: it paid another account, so that nothing can
 * arrive with it once that block is final. Unproven: it was used otherwise, such as to pay another amount to the
 * forwarder. Unseen: the node shows nothing about it from that block on; where the nonce was free then, the node lags.
 */
export type Arrival =
  | { outcome: 'arrived' | 'cancelled' | 'unproven'; transaction: Hex }
  | { outcome: 'elsewhere'; transaction: Hex; blockNumber: bigint }
  | { outcome: 'unseen'; transaction: null }

/**
 * Finds out what became of an authorization whose nonce is used. A used nonce alone proves nothing: cancelling uses
 * it too, and so does a second authorization of the same nonce to another account. The money arrived when the log right
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
  let otherUse: Arrival | null = null
  for (const log of await chain.getLogs({ ...about, event: authorizationUsed })) {
    const mined = await chain.getTransactionReceipt(log.transactionHash)
    if (mined?.succeeded !== true || mined.blockHash !== log.blockHash) {
      throw new ChainUnavailable(`the node shows a log of ${log.transactionHash} and not its receipt`)
    }
    const next = mined.logs.find(({ logIndex }) => logIndex === log.logIndex + 1)
    const transfer = next === undefined ? null : findTransfer(next, payment, deployment)
    if (transfer?.isArrival === true) return { outcome: 'arrived', transaction: mined.hash }
    otherUse =
      transfer?.isElsewhere === true
        ? { outcome: 'elsewhere', transaction: mined.hash, blockNumber: mined.blockNumber }
        : { outcome: 'unproven', transaction: mined.hash }
  }
  if (otherUse !== null) return otherUse
  const [cancelled] = await chain.getLogs({ ...about, event: authorizationCanceled })
  if (cancelled !== undefined) return { outcome: 'cancelled', transaction: cancelled.transactionHash }
  return { outcome: 'unseen', transaction: null }
}

/** What the transfer of the payer's USDC in this log was; null when it is none. */
function findTransfer(
  log: MinedTransaction['logs'][number],
  payment: PaymentAuthorization,
  { usdc, forwarder }: { usdc: Address; forwarder: Address },
): { isArrival: boolean; isElsewhere: boolean } | null {
  const [transfer] = parseEventLogs({ abi: usdcAbi, eventName: 'Transfer', logs: [log] })
  if (transfer?.address.toLowerCase() !== usdc || transfer.args.from.toLowerCase() !== payment.from) return null
  const isElsewhere = transfer.args.to.toLowerCase() !== forwarder
  return { isArrival: !isElsewhere && transfer.args.value === payment.value, isElsewhere }
}
