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
 * Whether a payment's time is over before it was relayed: then its call is not simulated any more, which may be a
 * contract wallet's code without an end. `decide` finds out whether the payment was used.
 * @throws ChainUnavailable
 */
export async function hasExpired({ chain }: RelayerDeps, { leg, payment, transfer }: BoundIntent): Promise<boolean> {
  const authorization = leg === 'paid' ? payment : transfer
  if (authorization === null) return false
  return (await chain.head()).timestamp >= authorization.validBefore
}
