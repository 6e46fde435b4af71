import type { Revert } from '../../chain/chain.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** The revert of a call that is not simulated any more. */
export const EXPIRED: Revert = {
  errorName: 'AuthorizationExpired',
  message: 'the authorization expired before the write could act',
  data: null,
}

/**
 * Returns true if a payment, or a signed call, ended before it was relayed. Its call is not simulated any more, because
 * a contract wallet's code may run without an end. `resolveRevert` finds out if the payment was used.
 * @throws ChainUnavailable
 */
export async function hasExpired({ chain }: RelayerDeps, intent: BoundIntent): Promise<boolean> {
  const validBefore = validBeforeOf(intent)
  return validBefore !== null && (await chain.head()).timestamp >= validBefore
}

/** Returns the end; null for a payment that another account has settled. */
function validBeforeOf(intent: BoundIntent): bigint | null {
  if (!('relay' in intent)) return intent.validBefore
  const { relay } = intent
  return relay.mode === 'paid' || relay.mode === 'bound' ? relay.payment.validBefore : null
}
