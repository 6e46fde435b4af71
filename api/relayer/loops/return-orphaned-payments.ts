import { isBound } from '../../../protocol/relay.ts'
import type { ChainHead } from '../../chain/chain.ts'
import { refundOwed } from '../../domain/refund-owed.ts'
import { reopenSubmitted } from '../../intents/finality.queries.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent, SubmittedIntent } from '../../intents/intent.ts'
import { endPaymentWatch, listUnusedPayments, requestRefund } from '../../intents/refunds.queries.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import type { PaymentAuthorization } from '../../payments/authorization.ts'
import { findAuthorizationUse } from '../../payments/authorization-use.ts'
import { findSubmissionUse } from '../../payments/submission-use.ts'
import { findRelayed } from '../confirmations/find-relayed.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

const POLL_INTERVAL_MS = 5_000
const PASS_SIZE = 200
/** After its end an authorization is looked at once more, when a reorg can hardly bring another end about; seconds. */
const GRACE_SECONDS = 120n

/**
 * A write that failed has charged nothing, but its authorization is valid for some minutes, and any account that saw it
 * may submit it alone. One run over such writes: money that arrived that way goes back to its payer. Each is watched
 * until it was seen unused, cancelled or used elsewhere after its end, however long this service was away meanwhile,
 * and whatever a node that lags does not show yet. A signed call that another account submitted after all is completed,
 * and so is a bound payment that another relayer relayed.
 */
export async function returnOrphanedPayments(deps: RelayerDeps): Promise<number> {
  const head = await deps.chain.confirmedHead()
  for (const intent of await listUnusedPayments(deps.sql, PASS_SIZE)) {
    try {
      const payment = paymentOf(intent)
      if (payment !== null && isBound(payment)) await checkBound(deps, head, { intent, payment })
      else if (payment !== null) await checkPayment(deps, head, { intent, payment })
      if (!('relay' in intent)) await checkSubmission(deps, head, intent)
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

/** A relayer that holds the call may still relay a bound payment: then it is that write. No other end of it is owed a refund. */
async function checkBound(
  deps: RelayerDeps,
  head: ChainHead,
  { intent, payment }: { intent: BoundIntent; payment: PaymentAuthorization },
): Promise<void> {
  if (head.number < intent.boundAtBlock) return
  const relayed = await findRelayed(deps, intent, { blockNumber: head.number })
  if (relayed !== null) {
    const { hash } = relayed
    if (!(await reopenSubmitted(deps.sql, intent, hash))) return
    deps.log.warn({ intentId: intent.id, hash }, 'the bound payment of a failed write was relayed after all')
    return
  }
  if (head.timestamp > payment.validBefore + GRACE_SECONDS) await endPaymentWatch(deps.sql, intent)
}

async function checkSubmission(deps: RelayerDeps, head: ChainHead, intent: SubmittedIntent): Promise<void> {
  if (head.number < intent.boundAtBlock) return
  const at = { fromBlock: fromBlockOf(intent), blockNumber: head.number }
  const submission = await findSubmissionUse(deps, intent, at)
  if (submission.use === 'made') {
    const { hash } = submission
    if (!(await reopenSubmitted(deps.sql, intent, hash))) return
    deps.log.warn({ intentId: intent.id, hash }, 'the signed call of a failed write was submitted after all')
    return
  }
  const isOver = head.timestamp > intent.validBefore + GRACE_SECONDS
  if (isOver && submission.use !== 'unseen') await endPaymentWatch(deps.sql, intent)
}
