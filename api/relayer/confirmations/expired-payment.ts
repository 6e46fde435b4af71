import type { Revert } from '../../chain/chain.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/**
 * The revert that is reported for a call whose authorization has expired. Such a call is not simulated, so no
 * simulation returns a revert.
 */
export const EXPIRED: Revert = {
  errorName: 'AuthorizationExpired',
  message: 'the authorization expired before the write could act',
  data: null,
}

/**
 * Returns true if the intent's payment or signed call has expired. An expired call must not be simulated: the
 * simulation would run the code of the payer's contract wallet, and this code might never end.
 * @throws ChainUnavailable
 */
export async function hasExpired({ chain }: RelayerDeps, intent: BoundIntent): Promise<boolean> {
  const validBefore = validBeforeOf(intent)
  return validBefore !== null && (await chain.head()).timestamp >= validBefore
}

/**
 * Returns the time from which the intent's authorization is invalid, in Unix seconds. Null in two cases: the write has
 * no payment, or another account has already settled the payment.
 */
function validBeforeOf(intent: BoundIntent): bigint | null {
  if (!('relay' in intent)) return intent.validBefore
  const { relay } = intent
  return relay.mode === 'paid' || relay.mode === 'bound' ? relay.payment.validBefore : null
}
