import type { MinedTransaction } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { SubmittableTransfer, TransferUse } from './authorization.ts'
import { findWithdrawalUse, findWithdrawn } from './bonus-withdrawal.ts'
import { hasMadeTransfer, proveArrival } from './prove-arrival.ts'
import { findClaimUse, isClaim, isClaimPaid } from './vault-claim.ts'
import { isAuthorizationUsed, type VerifyPorts } from './verify.ts'

/**
 * Reads what became of an authorized transfer.
 * @param at as in `findAuthorizationUse`
 * @throws ChainUnavailable
 */
export async function findTransferUse(
  ports: VerifyPorts,
  transfer: SubmittableTransfer,
  at: { fromBlock: bigint; blockNumber?: bigint },
): Promise<TransferUse> {
  if (isClaim(transfer.data)) return await findClaimUse(ports, transfer, at)
  if (transfer.contract !== ports.deployment.usdc) return await findWithdrawalUse(ports, transfer, at)
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

/** Whether these logs of one transaction show that it made this transfer, by what its owner signed. */
export function isMadeBy(
  logs: MinedTransaction['logs'],
  transfer: SubmittableTransfer,
  { usdc }: Pick<Deployment, 'usdc'>,
): boolean {
  if (isClaim(transfer.data)) return isClaimPaid(logs, transfer)
  if (transfer.contract === usdc) return hasMadeTransfer(logs, { transfer, usdc })
  return findWithdrawn(logs, transfer) !== null
}
