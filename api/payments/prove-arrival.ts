import { type AbiEvent, type Address, getAbiItem, type Hex, parseEventLogs } from 'viem'
import { usdcAbi } from '../../abis/usdc.ts'
import { ChainUnavailable, type MinedTransaction } from '../chain/chain.ts'
import type { TransferAuthorization } from './authorization.ts'
import type { VerifyPorts } from './verify.ts'

const authorizationUsed = getAbiItem({ abi: usdcAbi, name: 'AuthorizationUsed' }) as AbiEvent
const authorizationCanceled = getAbiItem({ abi: usdcAbi, name: 'AuthorizationCanceled' }) as AbiEvent

/**
 * The use of an authorization's nonce, as the logs of its transaction prove it.
 * - `arrived`: the nonce was used to pay the authorized amount to the authorized receiver.
 * - `cancelled`: the payer cancelled the nonce.
 * - `elsewhere`: the nonce was used to pay a different account. Once the block is final, no money can arrive with this
 * nonce.
 * - `unproven`: the nonce was used, but the logs do not show a transfer of the authorized amount, for example because
 * the amount was different.
 * - `unseen`: the node returns no event since `fromBlock`, so the node is behind.
 */
export type Arrival =
  | { outcome: 'cancelled' | 'unproven'; transaction: Hex }
  | { outcome: 'arrived' | 'elsewhere'; transaction: Hex; blockNumber: bigint }
  | { outcome: 'unseen'; transaction: null }

/**
 * Finds out what used the nonce of an authorization: a payment or a cancellation. Call this only if the nonce is used
 * on chain. The money arrived if the log directly after `AuthorizationUsed` is the transfer of exactly the authorized
 * amount to the receiver.
 * @param fromBlock the first block in which events are searched
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
    const transaction = await chain.getTransactionReceipt(log.transactionHash)
    if (transaction?.succeeded !== true || transaction.blockHash !== log.blockHash) {
      throw new ChainUnavailable(`the node shows a log of ${log.transactionHash} and not its receipt`)
    }
    const transferLog = findTransferAfter(transaction.logs, log, { transfer, usdc: deployment.usdc })
    const place = { transaction: transaction.hash, blockNumber: transaction.blockNumber }
    if (transferLog?.isArrival === true) return { outcome: 'arrived', ...place }
    otherUse =
      transferLog?.isElsewhere === true
        ? { outcome: 'elsewhere', ...place }
        : { outcome: 'unproven', transaction: transaction.hash }
  }
  if (otherUse !== null) return otherUse
  const [cancellation] = await chain.getLogs({ ...about, event: authorizationCanceled })
  if (cancellation !== undefined) return { outcome: 'cancelled', transaction: cancellation.transactionHash }
  return { outcome: 'unseen', transaction: null }
}

/** Returns true if the logs of a transaction show that this authorization caused this transfer. */
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

/**
 * Examines the log directly after `logIndex`. Returns null if that log is not a transfer of the payer's USDC.
 * `isArrival`: the log has the receiver and the amount of `transfer`. `isElsewhere`: the log has a different receiver.
 */
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
