import type { Address, Hex } from 'viem'
import type { Simulation } from '../../chain/chain.ts'
import type { Deps } from '../../deps.ts'

/** The name that stands for a call above the limit, where an error of the contracts would. */
export const GAS_ABOVE_LIMIT = 'GasAboveLimit'

/**
 * Runs calldata of the forwarder. What it costs can rise after bind (a contract that checks a signature decides what
 * that takes): a call above the limit counts as one that cannot act, or a lane would wait for what no block takes.
 */
export async function simulateCall(
  { chain, config, deployment }: Deps,
  call: { from: Address; data: Hex; blockNumber?: bigint },
): Promise<Simulation> {
  const simulation = await chain.simulate({ ...call, to: deployment.forwarder })
  if (simulation.outcome === 'reverted' || simulation.gas <= BigInt(config.MAX_RELAY_GAS)) return simulation
  const message = `the call needs ${simulation.gas} gas, more than the ${config.MAX_RELAY_GAS} this service relays`
  return { outcome: 'reverted', revert: { errorName: GAS_ABOVE_LIMIT, message, data: null } }
}
