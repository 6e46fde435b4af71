import type { Address, Hex } from 'viem'
import type { Config } from '../config.ts'
import type { Chain, Simulation } from './chain.ts'

/** The parts of the process that a simulation uses. */
export interface SimulationDeps {
  chain: Pick<Chain, 'simulate'>
  config: Pick<Config, 'MAX_RELAY_GAS'>
}

/**
 * Simulates a call as a relayer would send it. A call that needs more gas than `gasLimit` counts as reverted. Sent with
 * the gas that it needs, the transaction might fit into no block, and all later nonces of the relayer would wait for it.
 * @param call `gasLimit` null means `MAX_RELAY_GAS`
 */
export async function simulateCall(
  { chain, config }: SimulationDeps,
  call: { from: Address; to: Address; data: Hex; gasLimit: bigint | null; blockNumber?: bigint },
): Promise<Simulation> {
  const gasLimit = call.gasLimit ?? BigInt(config.MAX_RELAY_GAS)
  return await chain.simulate({ ...call, gasLimit })
}
