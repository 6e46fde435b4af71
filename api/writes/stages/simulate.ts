import type { Deps } from '../../deps.ts'
import { type IntentFacts, ServiceError } from '../../http/service-error.ts'
import { encodeRelay, type RelayCall } from '../relay/encode-relay.ts'
import { GAS_ABOVE_LIMIT, simulateCall } from '../relay/simulate-call.ts'

/**
 * Runs the whole relayed transaction, payment included, against the chain as it is now.
 * @throws ServiceError 409 `payment_preflight_rejected` with what the contracts said, or when it is not worth the
 * service's gas (Interface, "Limits"); nothing was charged, and the key stays usable
 */
export async function simulateRelay(deps: Deps, call: RelayCall, intent: IntentFacts): Promise<void> {
  const simulation = await simulateCall(deps, { from: deps.writes.relayers[0].address, data: encodeRelay(call) })
  if (simulation.outcome === 'ok') return
  const { errorName, message } = simulation.revert
  const refusal =
    errorName === GAS_ABOVE_LIMIT
      ? `The call is not relayed: ${message}. Nothing was charged. Send it directly to ${call.target}.`
      : `The call would revert: ${message}. Nothing was charged.`
  throw new ServiceError(409, 'payment_preflight_rejected', refusal, { intent })
}
