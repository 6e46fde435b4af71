import { type AbiEvent, type Address, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import { ChainUnavailable, type MinedTransaction } from '../chain/chain.ts'
import type { TransferAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const authorizationUsed = getAbiItem({ abi: usdcAbi, name: 'AuthorizationUsed' }) as AbiEvent
const authorizationCanceled = getAbiItem({ abi: usdcAbi, name: 'AuthorizationCanceled' }) as AbiEvent

/**
 * The fate of a used nonce, as the logs prove it. `elsewhere`: it paid another account, so nothing can arrive with it
 * once that block is final. `unproven`: it was used otherwise, such as to pay another amount to the receiver. `unseen`:
 * the node shows nothing about it from `fromBlock` on, so the node lags.
 */
export type Arrival =
  | { outcome: 'cancelled' | 'unproven'; transaction: Hex }
  | { outcome: 'arrived' | 'elsewhere'; transaction: Hex; blockNumber: bigint }
  | { outcome: 'unseen'; transaction: null }

/**
 * Finds the fate of an authorization whose nonce is used. A used nonce alone proves nothing: a cancellation uses it
 * too, and so does a second authorization with the same nonce to another account. The money arrived when the log right
 * after `AuthorizationUsed` is the transfer of exactly this value to the receiver. USDC writes the two together, so a
 * transfer elsewhere in the transaction belongs to another authorization and never counts.
 *
 * @param fromBlock no event about the authorization is older than this block
 * @throws ChainUnavailable
 */
export async function proveArrival(
  { chain, deployment }: VerifyPorts,
  transfer: TransferAuthorization,
  { fromBlock }: { fromBlock: bigint },
): Promise<Arrival> {
  const about = {
    address: deployment.usdc,
    args: { authorizer: transfer.from, nonce: transfer.nonce },
    fromBlock,
  }
  let otherUse: Arrival | null = null
  for (const log of await chain.getLogs({ ...about, event: authorizationUsed })) {
    const mined = await chain.getTransactionReceipt(log.transactionHash)
    if (mined?.succeeded !== true || mined.blockHash !== log.blockHash) {
      throw new ChainUnavailable(`the node shows a log of ${log.transactionHash} and not its receipt`)
    }
    const transferLog = findTransferAfter(mined.logs, log, { transfer, usdc: deployment.usdc })
    const place = { transaction: mined.hash, blockNumber: mined.blockNumber }
    if (transferLog?.isArrival === true) return { outcome: 'arrived', ...place }
    otherUse =
      transferLog?.isElsewhere === true
        ? { outcome: 'elsewhere', ...place }
        : { outcome: 'unproven', transaction: mined.hash }
  }
  if (otherUse !== null) return otherUse
  const [cancelled] = await chain.getLogs({ ...about, event: authorizationCanceled })
  if (cancelled !== undefined) return { outcome: 'cancelled', transaction: cancelled.transactionHash }
  return { outcome: 'unseen', transaction: null }
}

/** Returns true if the logs of one transaction show this transfer by this authorization. */
export function hasMadeTransfer(
  logs: MinedTransaction['logs'],
  about: { transfer: TransferAuthorization; usdc: Address },
): boolean {
  const { transfer, usdc } = about
  return parseEventLogs({ abi: usdcAbi, eventName: 'AuthorizationUsed', logs: [...logs] }).some(
    (log) =>
      log.address.toLowerCase() === usdc &&
      log.args.authorizer.toLowerCase() === transfer.from &&
      log.args.nonce === transfer.nonce &&
      findTransferAfter(logs, log, about)?.isArrival === true,
  )
}

/** Returns the transfer of the owner's USDC in the log right after this one, or null. */
function findTransferAfter(
  logs: MinedTransaction['logs'],
  { logIndex }: { logIndex: number },
  { transfer, usdc }: { transfer: TransferAuthorization; usdc: Address },
): { isArrival: boolean; isElsewhere: boolean } | null {
  const next = logs.find((log) => log.logIndex === logIndex + 1)
  if (next === undefined) return null
  const [transferLog] = parseEventLogs({ abi: usdcAbi, eventName: 'Transfer', logs: [next] })
  if (transferLog?.address.toLowerCase() !== usdc || transferLog.args.from.toLowerCase() !== transfer.from) return null
  const isElsewhere = transferLog.args.to.toLowerCase() !== transfer.to
  return { isArrival: !isElsewhere && transferLog.args.value === transfer.value, isElsewhere }
}
