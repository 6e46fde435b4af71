import type { Revert } from '../../chain/chain.ts'
import { GAS_ABOVE_LIMIT } from '../../chain/run-call.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import { callOf, type RelayCall } from '../../intents/encode-relay.ts'
import type { RelayTerms } from '../../intents/intent.ts'
import type { WriteDeps } from '../write-deps.ts'

/** What the market reverts with where less gas is left than a hook is called with. */
const NOT_ENOUGH_GAS = 'NotEnoughGas'

/**
 * Stage 8: runs the whole relayed transaction, payment included, against the chain as it is now.
 * @throws ServiceError 409 `payment_preflight_rejected` with what the contracts said, or when it is not worth the
 * service's gas (Interface, "Limits"); nothing was charged, and the key stays usable
 */
export async function simulateRelay(
  deps: WriteDeps,
  call: RelayCall & { terms: Pick<RelayTerms, 'gasLimit' | 'relayClass'> },
  { intent, describeRevert = describe }: { intent: IntentFacts; describeRevert?: (revert: Revert) => string },
): Promise<void> {
  const { address: from, simulations } = deps.writes.relayer
  const simulatedAt = performance.now()
  const simulation = await simulateCall(deps, { from, ...callOf(call, deps.deployment), gasLimit: call.terms.gasLimit })
  if (simulation.outcome === 'ok') {
    // Code of other accounts may do otherwise a moment later: such a call is simulated again before it is signed.
    if (call.terms.relayClass === 'plain') simulations.keep(call, { gas: simulation.gas, simulatedAt })
    return
  }
  const { errorName, message } = simulation.revert
  const isAboveLimit = errorName === GAS_ABOVE_LIMIT || errorName === NOT_ENOUGH_GAS
  const refusal = isAboveLimit
    ? `The call is not relayed: ${message}. Nothing was charged. Send it directly to ${call.target}.`
    : `${describeRevert(simulation.revert)}. Nothing was charged.`
  throw new ServiceError(409, 'payment_preflight_rejected', refusal, { intent })
}

function describe({ message }: Revert): string {
  return `The call would revert: ${message}`
}
