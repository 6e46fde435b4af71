import type { Context } from 'hono'
import { type CallerDeps, callerOf } from '../../identity/caller.ts'
import type { Intent } from '../../intents/intent.ts'
import { findIntentByPayment } from '../../intents/intents.queries.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import { readPayment } from '../../payments/decode.ts'
import { isSignedByPayer, type VerifyPorts } from '../../payments/verify.ts'

/** The parts of the process that are needed to identify the reader of an intent. */
export type IntentReaderDeps = CallerDeps & VerifyPorts

/**
 * Returns true if the caller may read an intent (specification, "Authentication" 9). While the intent has the status
 * `reserved`, any holder of its idempotency key may read it. After that, only the initiator may read it. The initiator
 * is recognized by the read-identity headers, or by the header with the payment that funded the write.
 */
export async function mayReadIntent(
  c: Context,
  deps: IntentReaderDeps,
  { intent, isByKey }: { intent: Intent; isByKey: boolean },
): Promise<boolean> {
  if (intent.status === 'reserved') return isByKey
  if (intent.initiator === null) return false
  return (await callerOf(c, deps)) === intent.initiator || (await presentsPayment(c, deps, intent))
}

/**
 * Returns true if the request presents the payment that funded an intent: the nonce of the payment and the payer's
 * genuine signature.
 */
async function presentsPayment(c: Context, deps: IntentReaderDeps, { id, initiator }: Intent): Promise<boolean> {
  // Nonces are public, so the nonce alone proves nothing. After the payment is mined, the signature is public as well.
  const header = c.req.header('payment-signature')
  const presentedPayment = header === undefined ? null : readPayment(deps.deployment, header).payment
  if (presentedPayment === null || presentedPayment.authorization.from !== initiator) return false
  const { usdc: asset } = deps.deployment
  const { nonce } = presentedPayment.authorization
  const fundedIntent = await findIntentByPayment(deps.sql, { asset, payer: initiator, nonce })
  if (fundedIntent?.id !== id || paymentOf(fundedIntent) === null) return false
  if (presentedPayment.isWrapped && !(await deps.chain.hasCode(initiator))) return false
  return await isSignedByPayer(deps, presentedPayment.authorization)
}
