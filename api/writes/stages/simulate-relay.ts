import type { Revert } from '../../chain/chain.ts'
import { GAS_ABOVE_LIMIT } from '../../chain/run-call.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import type { CallTerms } from '../../intents/intent.ts'
import { type RelayFields, relayModeOfIntent, transactionOfIntent } from '../../intents/relayed-call.ts'
import type { WriteDeps } from '../write-deps.ts'

/**
 * The name of the forwarder's error for a wallet that accepts only bound payments and bound texts. A bound payment or
 * text is good for one call. The error means that the payment or text was plain.
 */
const BOUND_ONLY = 'PayerTakesBoundOnly'
/** The name of the market's error for a call that has less gas left than the market must pass to a hook. */
const NOT_ENOUGH_GAS = 'NotEnoughGas'

/**
 * Simulates, in stage 8, the whole relayed transaction, including its payment, on the latest state of the chain.
 * @returns the gas that the transaction uses
 * @throws ServiceError 409 `payment_preflight_rejected` if the contracts revert or the gas is above the limit; nothing
 * was charged, and the key can be used again
 */
export async function simulateRelay(
  deps: WriteDeps,
  call: RelayFields & { terms: Pick<CallTerms, 'gasLimit' | 'gasCeiling' | 'relayClass'> },
  { intent, describeRevert = describe }: { intent: IntentFacts; describeRevert?: (revert: Revert) => string },
): Promise<bigint> {
  const { address: from, simulations } = deps.writes.relayer
  const simulatedAt = performance.now()
  const transaction = transactionOfIntent(call, deps.deployment)
  const simulation = await simulateCall(deps, { from, ...transaction, gasLimit: call.terms.gasLimit })
  if (simulation.outcome === 'ok') {
    // Code of other accounts may act differently later: such a call is simulated again before its signature.
    const { gasCeiling, relayClass } = call.terms
    if (gasCeiling !== null && simulation.gas > gasCeiling)
      throw aboveCeiling(call, { gas: simulation.gas, gasCeiling, intent })
    const simulatedCall = { chainIntentId: call.chainIntentId, mode: relayModeOfIntent(call) }
    if (relayClass === 'plain') simulations.keep(simulatedCall, { gas: simulation.gas, simulatedAt })
    return simulation.gas
  }
  const { errorName, message } = simulation.revert
  if (errorName === BOUND_ONLY) throw boundOnly(message, intent)
  const isAboveLimit = errorName === GAS_ABOVE_LIMIT || errorName === NOT_ENOUGH_GAS
  const refusal = isAboveLimit
    ? `The call is not relayed: ${message}. Nothing was charged. Send it directly to ${call.target}.`
    : `${describeRevert(simulation.revert)}. Nothing was charged.`
  throw new ServiceError(409, 'payment_preflight_rejected', refusal, {
    detail: isAboveLimit ? 'gas_ceiling' : 'would_revert',
    intent,
  })
}

function boundOnly(message: string, intent: IntentFacts): ServiceError {
  return new ServiceError(
    403,
    'payment_preflight_rejected',
    `The call would revert: ${message}. Nothing was charged.`,
    {
      detail: 'bound_only',
      intent,
    },
  )
}

function aboveCeiling(
  { target }: RelayFields,
  { gas, gasCeiling, intent }: { gas: bigint; gasCeiling: bigint; intent: IntentFacts },
): ServiceError {
  const sentence =
    `The call takes ${gas} gas, and at most ${gasCeiling} are relayed for it; nothing was charged. Send it directly ` +
    `to ${target} (docs/build/limits.md, "Gas").`
  return new ServiceError(409, 'payment_preflight_rejected', sentence, { detail: 'gas_ceiling', intent })
}

function describe({ message }: Revert): string {
  return `The call would revert: ${message}`
}
