import type { ChainHead } from '../../chain/chain.ts'
import { refundOwed } from '../../domain/refund-owed.ts'
import { reopenTransfer } from '../../intents/finality.queries.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { endPaymentWatch, listUnusedPayments, requestRefund } from '../../intents/refunds.queries.ts'
import type { PaymentAuthorization, SubmittableTransfer } from '../../payments/authorization.ts'
import { findAuthorizationUse } from '../../payments/authorization-use.ts'
import { findTransferUse } from '../../payments/transfer-use.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

const POLL_INTERVAL_MS = 5_000
const PASS_SIZE = 200
/** After its end an authorization is looked at once more, when a reorg can hardly bring another end about; seconds. */
const GRACE_SECONDS = 120n

/**
 * A write that failed has charged nothing, but its authorization is valid for some minutes, and any account that saw it
 * may submit it alone. One run over such writes: money that arrived that way goes back to its payer. Each is watched
 * until it was seen unused, cancelled or used elsewhere after its end, however long this service was away meanwhile,
 * and whatever a node that lags does not show yet. A transfer that another account submitted after all is completed.
 */
export async function returnOrphanedPayments(deps: RelayerDeps): Promise<number> {
  const head = await deps.chain.confirmedHead()
  for (const intent of await listUnusedPayments(deps.sql, PASS_SIZE)) {
    try {
      if (intent.payment !== null) await checkPayment(deps, head, { intent, payment: intent.payment })
      if (intent.transfer !== null) await checkTransfer(deps, head, { intent, transfer: intent.transfer })
    } catch (error) {
      deps.log.warn({ err: error, intentId: intent.id }, 'the payment of a failed write could not be looked at now')
    }
  }
  return POLL_INTERVAL_MS
}

async function checkPayment(
  deps: RelayerDeps,
  head: ChainHead,
  { intent, payment }: { intent: BoundIntent; payment: PaymentAuthorization },
): Promise<void> {
  // A node that is behind shows an authorization as free that is not.
  if (head.number < intent.boundAtBlock) return
  const at = { fromBlock: fromBlockOf(intent), blockNumber: head.number }
  const { use } = await findAuthorizationUse(deps, payment, at)
  const owed = refundOwed(use, { canStillAct: false })
  if (owed === 'refund') {
    await requestRefund(deps.sql, intent)
    deps.log.warn({ intentId: intent.id }, 'the authorization of a failed write was submitted; its money goes back')
    return
  }
  const isOver = head.timestamp > payment.validBefore + GRACE_SECONDS
  if (isOver && owed !== 'unknown') await endPaymentWatch(deps.sql, intent)
}

async function checkTransfer(
  deps: RelayerDeps,
  head: ChainHead,
  { intent, transfer }: { intent: BoundIntent; transfer: SubmittableTransfer },
): Promise<void> {
  if (head.number < intent.boundAtBlock) return
  const found = await findTransferUse(deps, transfer, { fromBlock: fromBlockOf(intent), blockNumber: head.number })
  if (found.use === 'made') {
    if (!(await reopenTransfer(deps.sql, intent, found.hash))) return
    deps.log.warn({ intentId: intent.id, hash: found.hash }, 'the transfer of a failed write was made after all')
    return
  }
  const isOver = head.timestamp > transfer.validBefore + GRACE_SECONDS
  if (isOver && found.use !== 'unseen') await endPaymentWatch(deps.sql, intent)
}
