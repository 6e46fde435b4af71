import { ChainUnavailable } from '../../chain/chain.ts'
import type { Transaction } from '../../db/client.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import {
  awaitAnnouncedRefund,
  deferRefund,
  failRefund,
  finishRefund,
  lockPendingRefund,
} from '../../intents/refunds.queries.ts'
import type { Relayer } from '../signers/relayer.ts'
import { planRefund, type RefundPlan } from '../transactions/plan-refund.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { type SignedOrPlanned, signOrPlan } from '../transactions/sign-job.ts'

/**
 * Locks the pending refund that has been due the longest, and signs its next transaction.
 * @returns the intent, or null if no refund is due. `signed` is null if the refund is complete, impossible now, or left
 * to an operator
 */
export async function signRefund(
  deps: RelayerDeps,
  tx: Transaction,
  relayer: Relayer,
): Promise<{ intent: BoundIntent; signed: SignedOrPlanned | null } | null> {
  const intent = await lockPendingRefund(tx)
  if (intent === null) return null
  const plan = await planRefund(deps, intent, relayer.address).catch(deferUnanswered)
  switch (plan.next) {
    case 'sign': {
      const { job, gasLimit, fees } = plan
      return { intent, signed: await signOrPlan(deps, tx, { job, relayer, gasLimit, fees }) }
    }
    case 'wait':
      await awaitAnnouncedRefund(tx, intent.id, plan)
      deps.log.info({ intentId: intent.id, notBefore: Number(plan.notBefore) }, 'announced refund not due yet')
      break
    case 'finish':
      await finishRefund(tx, intent, plan.refund)
      break
    case 'defer':
      // A paused token or a blacklisted payer may change tomorrow; the debt stays.
      await deferRefund(tx, intent.id)
      deps.log.warn({ intentId: intent.id, why: plan.why }, 'refund deferred')
      break
    case 'fail':
      await failRefund(tx, intent, plan.finding)
      deps.log.error({ intentId: intent.id, finding: plan.finding }, 'refund left to operator')
      break
  }
  return { intent, signed: null }
}

/**
 * Postpones a refund if a node did not answer in time. A slow signature check of the payer's wallet can be the reason.
 */
function deferUnanswered(error: unknown): RefundPlan {
  if (error instanceof ChainUnavailable) return { next: 'defer', why: error.message }
  throw error
}
