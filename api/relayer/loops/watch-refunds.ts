import type { Hex } from 'viem'
import { mapWithLimit } from '../../concurrency/map-with-limit.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { pauseBeforeNextRefund } from '../../intents/refund-limits.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import { failRefund, finishRefund, listRefunding, repeatRefund, requeueRefund } from '../../intents/refunds.queries.ts'
import { findRefund, isSpentInForwarder } from '../../payments/spent.ts'
import { type Attempt, listAttempts } from '../transactions/attempts.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import { refundJob, refundStepOf } from '../transactions/relay-job.ts'
import { replaceTransaction } from '../transactions/replace-transaction.ts'

/** The largest number of refunds that one check handles. */
const PASS_SIZE = 100
/** The largest number of refunds that are handled at the same time. */
const CONCURRENCY = 6

/** Checks the refunds whose transaction was sent. @returns the number of these refunds */
export async function watchRefunds(relay: RelayContext): Promise<number> {
  const { deps } = relay
  const intents = await listRefunding(deps.sql, PASS_SIZE)
  if (intents.length === 0) return 0
  const attempts = await listAttempts(
    deps.sql,
    intents.map(({ id }) => id),
  )
  await mapWithLimit(CONCURRENCY, intents, async (intent) => {
    const refundAttempts = attempts.filter(({ intentId, purpose }) => intentId === intent.id && purpose !== 'call')
    try {
      await watchRefund(relay, intent, refundAttempts)
    } catch (error) {
      deps.log.warn({ err: error, intentId: intent.id }, 'refund check failed')
    }
  })
  return intents.length
}

async function watchRefund(relay: RelayContext, intent: BoundIntent, attempts: readonly Attempt[]): Promise<void> {
  const { deps } = relay
  const refund = await findRefund(deps, refundPaymentOf(intent), { fromBlock: fromBlockOf(intent) })
  if (refund !== null) {
    if (!(await finishRefund(deps.sql, intent, refund))) return
    deps.log.debug({ intentId: intent.id, hash: refund.txHash }, 'refunded')
    return
  }
  const [attempt] = attempts
  if (attempt === undefined) return
  // Any transaction with its nonce may be the mined one.
  for (const { relayer, nonce, hash, purpose } of attempts) {
    if (relayer !== attempt.relayer || nonce !== attempt.nonce) continue
    const receipt = await deps.chain.getTransactionReceipt(hash)
    if (receipt === null) continue
    if (!receipt.succeeded || purpose === 'cancellation') return await repeat(relay, intent, hash)
    // It is announced; the outbox reads from the forwarder when it is due.
    if (purpose === 'announcement') await requeueRefund(deps.sql, intent)
    // A successful refund has its event, which the node does not show yet.
    return
  }
  const newest = attempts.find(({ purpose }) => purpose !== 'cancellation') ?? attempt
  await replaceTransaction(relay, {
    job: refundJob(intent, deps.deployment, refundStepOf(newest)),
    attempt,
    minedNonce: await deps.chain.getTransactionCount(attempt.relayer),
  })
}

/**
 * Returns a refund to the outbox after its transaction was mined without effect. There are two possible reasons: the
 * payer's contract behaved differently than in the simulation, or a cancellation used the nonce. The pauses between
 * attempts grow. After the last attempt, the refund is left to an operator.
 */
async function repeat({ deps }: RelayContext, intent: BoundIntent, hash: Hex): Promise<void> {
  // The refund may have succeeded before the revert: then nothing is signed again, and nothing is lost.
  const isSpent = await isSpentInForwarder(deps, refundPaymentOf(intent))
  const attemptsLeft = intent.refundAttemptsLeft - (isSpent ? 0 : 1)
  if (attemptsLeft <= 0) {
    const finding = `transaction ${hash} was mined and gave nothing back, and no further attempt is made`
    if (!(await failRefund(deps.sql, intent, finding))) return
    deps.log.error({ intentId: intent.id, finding }, 'refund left to operator')
    return
  }
  const restSeconds = pauseBeforeNextRefund(attemptsLeft)
  if (!(await repeatRefund(deps.sql, intent, { attemptsLeft, restSeconds }))) return
  deps.log.warn({ intentId: intent.id, hash, attemptsLeft, restSeconds }, 'refund mined without effect')
}
