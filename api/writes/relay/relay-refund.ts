import { ChainUnavailable } from '../../chain/chain.ts'
import { insertAttempt, type NewAttempt } from '../../db/attempts.queries.ts'
import type { Transaction } from '../../db/client.ts'
import { deferRefund, failRefund, finishRefund, lockPendingRefund } from '../../db/refunds.queries.ts'
import { takeNonce } from '../../db/relay-lanes.queries.ts'
import type { Deps } from '../../deps.ts'
import type { BoundIntent } from '../intent.ts'
import { refundErrand } from './errand.ts'
import { planRefund, type RefundPlan } from './plan-refund.ts'
import type { Relayer } from './relayer.ts'
import { signAttempt } from './sign-attempt.ts'

/**
 * Takes one pending refund, whose turn has come the longest ago: the intent, and its transaction unless it is over,
 * cannot be made now, or is left to an operator.
 */
export async function signRefund(
  deps: Deps,
  tx: Transaction,
  relayer: Relayer,
): Promise<{ intent: BoundIntent; attempt: NewAttempt | null } | null> {
  const intent = await lockPendingRefund(tx)
  if (intent === null) return null
  const errand = refundErrand(intent)
  const plan = await planRefund(deps, intent, { from: relayer.address, data: errand.data }).catch(deferUnanswered)
  switch (plan.next) {
    case 'sign':
      return { intent, attempt: await sign(deps, tx, { intent, relayer, plan }) }
    case 'finish':
      await finishRefund(tx, intent, plan.refund)
      break
    case 'defer':
      // A paused token or a blacklisted payer may be otherwise tomorrow: what is owed stays owed.
      await deferRefund(tx, intent.id)
      deps.log.warn({ intentId: intent.id, why: plan.why }, 'a refund cannot be made now')
      break
    case 'fail':
      await failRefund(tx, intent, plan.finding)
      deps.log.error({ intentId: intent.id, finding: plan.finding }, 'a refund is left to an operator')
      break
  }
  return { intent, attempt: null }
}

/** A wallet that is slow to check its signature must not be asked again at once, time after time. */
function deferUnanswered(error: unknown): RefundPlan {
  if (error instanceof ChainUnavailable) return { next: 'defer', why: error.message }
  throw error
}

/** The bytes, stored with the nonce that they use. */
async function sign(
  deps: Deps,
  tx: Transaction,
  { intent, relayer, plan }: { intent: BoundIntent; relayer: Relayer; plan: RefundPlan & { next: 'sign' } },
): Promise<NewAttempt> {
  const { data, leg, noteSigned } = refundErrand(intent)
  const { gasLimit, fees } = plan
  const call = { intentId: intent.id, leg, to: deps.deployment.forwarder, data, gasLimit, fees }
  const attempt = await signAttempt(deps, call, { relayer, nonce: await takeNonce(tx, relayer.address) })
  await insertAttempt(tx, attempt)
  if (!(await noteSigned(tx, attempt.hash))) throw new Error(`intent ${intent.id} changed under its lock`)
  deps.log.debug({ intentId: intent.id, hash: attempt.hash, nonce: Number(attempt.nonce), leg }, 'signed')
  return attempt
}
