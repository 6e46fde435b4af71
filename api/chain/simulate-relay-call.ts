import type { Address, Hex } from 'viem'
import type { Config } from '../config.ts'
import type { Chain, Simulation } from './chain.ts'

/** The parts of the process that a simulation uses. */
export interface SimulationDeps {
  chain: Pick<Chain, 'simulate'>
  config: Pick<Config, 'MAX_RELAY_GAS'>
}

/**
 * Simulates a call as a relayer would send it. The call's gas can rise after the bind, because a contract that checks a
 * signature determines its own gas. So a call that needs more than its limit counts as reverted. Otherwise the nonce
 * sequence could wait for a transaction that fits into no block.
 * @param call `gasLimit` null means `MAX_RELAY_GAS`
 */
export async function simulateCall(
  { chain, config }: SimulationDeps,
  call: { from: Address; to: Address; data: Hex; gasLimit: bigint | null; blockNumber?: bigint },
): Promise<Simulation> {
  const gasLimit = call.gasLimit ?? BigInt(config.MAX_RELAY_GAS)
  return await chain.simulate({ ...call, gasLimit })
}
