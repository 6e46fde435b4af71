import type { Context } from 'hono'
import { type CallerDeps, callerOf } from '../../identity/caller.ts'
import type { Intent } from '../../intents/intent.ts'
import { findBoundIntent } from '../../intents/intents.queries.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import { readPayment } from '../../payments/decode.ts'
import { isSignedByPayer, type VerifyPorts } from '../../payments/verify.ts'

/** What deciding about a reader needs of the process. */
export type IntentReaderDeps = CallerDeps & VerifyPorts

/**
 * Who may read an intent (Spec, "Authentication" 9): a reserved one any holder of its key; any other its initiator, by
 * the read-identity headers or by presenting the payment that funded it.
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

/** The nonce must be the intent's own, and the signature genuine: nonces are public, signatures too once mined. */
async function presentsPayment(c: Context, deps: IntentReaderDeps, { id, initiator }: Intent): Promise<boolean> {
  const header = c.req.header('payment-signature')
  const presented = header === undefined ? null : readPayment(deps.deployment, header).payment
  if (presented === null || presented.authorization.from !== initiator) return false
  const bound = await findBoundIntent(deps.sql, id)
  if (bound === null || paymentOf(bound)?.nonce !== presented.authorization.nonce) return false
  if (presented.isWrapped && !(await deps.chain.hasCode(initiator))) return false
  return await isSignedByPayer(deps, presented.authorization)
}
