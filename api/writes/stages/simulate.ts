import type { Deps } from '../../deps.ts'
import { type IntentFacts, ServiceError } from '../../http/service-error.ts'
import { encodeRelay, type RelayCall } from '../relay/encode-relay.ts'

/**
 * Runs the whole relayed transaction, payment included, against the chain as it is now.
 * @throws ServiceError 409 `payment_preflight_rejected` with what the contracts said; nothing was charged, and the key
 * stays usable
 */
export async function simulateRelay(deps: Deps, call: RelayCall, intent: IntentFacts): Promise<void> {
  const simulation = await deps.chain.simulate({
    from: deps.writes.relayers[0].address,
    to: deps.deployment.forwarder,
    data: encodeRelay(call),
  })
  if (simulation.outcome === 'reverted') {
    throw new ServiceError(
      409,
      'payment_preflight_rejected',
      `The call would revert: ${simulation.revert.message}. Nothing was charged.`,
      { intent },
    )
  }
  // Not worth the service's gas: its caller can send it without us (Interface, "Limits").
  const { MAX_RELAY_GAS } = deps.config
  if (simulation.gas > BigInt(MAX_RELAY_GAS)) {
    throw new ServiceError(
      409,
      'payment_preflight_rejected',
      `The call needs ${simulation.gas} gas, more than the ${MAX_RELAY_GAS} this service relays; nothing was charged. ` +
        `Send it directly to ${call.target}.`,
      { intent },
    )
  }
}
