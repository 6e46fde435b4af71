import type { Revert } from '../../chain/chain.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** Stands for the revert of a call that is not simulated any more. */
export const EXPIRED: Revert = {
  errorName: 'AuthorizationExpired',
  message: 'the authorization expired before the write could act',
  data: null,
}

/**
 * Tells that a payment, or a signed call, ended before it was relayed. Its call is not simulated any more, because a contract
 * wallet's code may run without an end. `decide` finds out whether the payment was used.
 * @throws ChainUnavailable
 */
export async function hasExpired({ chain }: RelayerDeps, intent: BoundIntent): Promise<boolean> {
  const validBefore = validBeforeOf(intent)
  return validBefore !== null && (await chain.head()).timestamp >= validBefore
}

/** A payment that another account has settled has no end any more. */
function validBeforeOf(intent: BoundIntent): bigint | null {
  if (!('relay' in intent)) return intent.validBefore
  const { relay } = intent
  return relay.mode === 'paid' || relay.mode === 'bound' ? relay.payment.validBefore : null
}
