import { type Attempt, listAttempts, type NewAttempt } from '../../db/attempts.queries.ts'
import type { Transaction } from '../../db/client.ts'
import { deferRefund, finishRefund, listRefunding, lockPendingRefund } from '../../db/refunds.queries.ts'
import type { Deps } from '../../deps.ts'
import { findRefund } from '../../payments/spent.ts'
import type { BoundIntent, PaymentAuthorization } from '../intent.ts'
import { type Errand, refundErrand } from './errand.ts'
import type { RelayContext } from './relay-context.ts'
import type { Relayer } from './relayer.ts'
import { searchFrom } from './search-from.ts'
import { signNew } from './sign-new.ts'
import { unstick } from './unstick.ts'

const PASS_SIZE = 100

/** Takes one pending refund: the intent, and its transaction unless it turned out to be over. */
export async function signRefund(
  deps: Deps,
  tx: Transaction,
  relayer: Relayer,
): Promise<{ intent: BoundIntent; attempt: NewAttempt | null } | null> {
  const intent = await lockPendingRefund(tx)
  if (intent === null) return null
  const signed = await signNew(deps, tx, { errand: refundErrandOf(intent), relayer })
  if ('attempt' in signed) return { intent, attempt: signed.attempt }
  const refund = await findRefund(deps, paymentOf(intent), { fromBlock: searchFrom(intent) })
  if (refund !== null) await finishRefund(tx, intent, refund)
  else {
    // A paused token or a blacklisted payer may be otherwise tomorrow: what is owed stays owed.
    await deferRefund(tx, intent.id)
    deps.log.warn({ intentId: intent.id, revert: signed.revert.message }, 'a refund cannot be made now')
  }
  return { intent, attempt: null }
}

/** One pass over the refunds on their way. @returns how many there were */
export async function watchRefunds(relay: RelayContext): Promise<number> {
  const { deps } = relay
  const intents = await listRefunding(deps.sql, PASS_SIZE)
  if (intents.length === 0) return 0
  const attempts = await listAttempts(
    deps.sql,
    intents.map(({ id }) => id),
  )
  for (const intent of intents) {
    const own = attempts.filter(({ intentId, leg }) => intentId === intent.id && (leg === 'refund' || leg === 'noop'))
    await watchRefund(relay, intent, own)
  }
  return intents.length
}

async function watchRefund(relay: RelayContext, intent: BoundIntent, attempts: readonly Attempt[]): Promise<void> {
  const { deps } = relay
  const refund = await findRefund(deps, paymentOf(intent), { fromBlock: searchFrom(intent) })
  if (refund !== null) {
    if (!(await finishRefund(deps.sql, intent, refund))) return
    deps.log.debug({ intentId: intent.id, hash: refund.txHash }, 'refunded')
    return
  }
  const [attempt] = attempts
  if (attempt === undefined) return
  const errand = refundErrandOf(intent)
  // Mined without giving the money back: the next simulation says why.
  if ((await deps.chain.receipt(attempt.hash)) !== null) {
    await errand.requeue(deps.sql)
    return
  }
  await unstick(relay, { errand, attempt, minedNonce: await deps.chain.minedNonce(attempt.relayer) })
}

function refundErrandOf(intent: BoundIntent): Errand {
  return refundErrand(intent, paymentOf(intent))
}

function paymentOf(intent: BoundIntent): PaymentAuthorization {
  if (intent.payment === null) throw new Error(`intent ${intent.id} has no payment to give back`)
  return intent.payment
}
