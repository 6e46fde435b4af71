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
 * Returns true if the caller may read an intent (specification, "Authentication" 9). Any holder of the idempotency key
 * may read a reserved intent. Only the initiator may read a later intent, with read-identity headers or with the
 * payment of the write.
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

/** Returns true if the request has the payment of an intent: the payment's nonce with a genuine signature. */
async function presentsPayment(c: Context, deps: IntentReaderDeps, { id, initiator }: Intent): Promise<boolean> {
  // Nonces are public, so the nonce alone proves nothing. After the payment is mined, the signature is public as well.
  const header = c.req.header('payment-signature')
  const presented = header === undefined ? null : readPayment(deps.deployment, header).payment
  if (presented === null || presented.authorization.from !== initiator) return false
  const { usdc: asset } = deps.deployment
  const { nonce } = presented.authorization
  const funded = await findIntentByPayment(deps.sql, { asset, payer: initiator, nonce })
  if (funded?.id !== id || paymentOf(funded) === null) return false
  if (presented.isWrapped && !(await deps.chain.hasCode(initiator))) return false
  return await isSignedByPayer(deps, presented.authorization)
}
