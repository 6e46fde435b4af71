import type { Address, Hex } from 'viem'
import type { Config } from '../config.ts'
import type { Chain, Simulation } from './chain.ts'

/** The parts of the process that simulate a call. */
export interface SimulationDeps {
  chain: Pick<Chain, 'simulate'>
  config: Pick<Config, 'MAX_RELAY_GAS'>
}

/**
 * Simulates a call as a relayer would send it. Its cost can rise after bind, because a contract that checks a signature
 * decides its own gas. A call above its limit cannot act; otherwise a nonce sequence would wait for a call that fits no
 * block.
 * @param call `gasLimit` null: MAX_RELAY_GAS
 */
export async function simulateCall(
  { chain, config }: SimulationDeps,
  call: { from: Address; to: Address; data: Hex; gasLimit: bigint | null; blockNumber?: bigint },
): Promise<Simulation> {
  const gasLimit = call.gasLimit ?? BigInt(config.MAX_RELAY_GAS)
  return await chain.simulate({ ...call, gasLimit })
}
