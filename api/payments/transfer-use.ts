import type { Hex } from 'viem'
import type { TransferAuthorization } from './authorization.ts'
import { proveArrival } from './prove-arrival.ts'
import { isAuthorizationUsed, type VerifyPorts } from './verify.ts'

/**
 * What became of an authorized transfer. `made`: by whatever account submitted it. `otherwise`: its nonce was used for
 * another transfer of the same owner. `unseen`: the nonce is used, and the node does not show where.
 */
export type TransferUse =
  | { use: 'unused' | 'cancelled' | 'otherwise' | 'unseen' }
  | { use: 'made'; hash: Hex; blockNumber: bigint }

/**
 * Reads what became of an authorized transfer.
 * @param at as in `findAuthorizationUse`
 * @throws ChainUnavailable
 */
export async function findTransferUse(
  ports: VerifyPorts,
  transfer: TransferAuthorization,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<TransferUse> {
  if (!(await isAuthorizationUsed(ports, transfer, at))) return { use: 'unused' }
  const arrival = await proveArrival(ports, transfer, at)
  switch (arrival.outcome) {
    case 'arrived':
      return { use: 'made', hash: arrival.transaction, blockNumber: arrival.blockNumber }
    case 'elsewhere':
    case 'unproven':
      return { use: 'otherwise' }
    default:
      return { use: arrival.outcome }
  }
}
