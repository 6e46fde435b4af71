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
/**
 * The number of seconds for which an authorization is still checked after its expiry. A reorg could change the use of
 * the authorization, but a reorg of more than two minutes is unlikely.
 */
const GRACE_SECONDS = 120n

/**
 * Refunds payments that arrive after their write failed. After the failure, the authorization of a payment stays valid
 * for some minutes, and any account may submit it. Each authorization is checked until its outcome is certain. If the
 * chain shows that the call of a failed write was made, the write is reopened.
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
      deps.log.warn({ err: error, intentId: intent.id }, 'payment check failed')
    }
  }
  return POLL_INTERVAL_MS
}

async function checkPayment(
  deps: RelayerDeps,
  head: ChainHead,
  { intent, payment }: { intent: BoundIntent; payment: PaymentAuthorization },
): Promise<void> {
  // A lagging node shows a used authorization as free.
  if (head.number < intent.boundAtBlock) return
  const at = { fromBlock: fromBlockOf(intent), blockNumber: head.number }
  const { use } = await findAuthorizationUse(deps, payment, at)
  const debt = refundOwed(use, { canStillAct: false })
  if (debt === 'refund') {
    await requestRefund(deps.sql, intent)
    deps.log.warn({ intentId: intent.id }, 'authorization of failed write submitted, refund scheduled')
    return
  }
  const isOver = head.timestamp > payment.validBefore + GRACE_SECONDS
  if (isOver && debt !== 'unknown') await endPaymentWatch(deps.sql, intent)
}

/**
 * Checks the bound payment of a failed write. If a relayer relayed the call of the write, the write is reopened. A
 * bound payment is only collected together with its call, so there is nothing to refund.
 */
async function checkBound(
  deps: RelayerDeps,
  head: ChainHead,
  { intent, payment }: { intent: BoundIntent; payment: PaymentAuthorization },
): Promise<void> {
  if (head.number < intent.boundAtBlock) return
  const relay = await findRelayed(deps, intent, { blockNumber: head.number })
  if (relay !== null) {
    const { hash } = relay
    if (!(await reopenSubmitted(deps.sql, intent, hash))) return
    deps.log.warn({ intentId: intent.id, hash }, 'bound payment of failed write relayed')
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
    deps.log.warn({ intentId: intent.id, hash }, 'call of failed write submitted')
    return
  }
  const isOver = head.timestamp > intent.validBefore + GRACE_SECONDS
  if (isOver && submission.use !== 'unseen') await endPaymentWatch(deps.sql, intent)
}
