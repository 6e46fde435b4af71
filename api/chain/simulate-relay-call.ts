import type { Address, Hex } from 'viem'
import type { Config } from '../config.ts'
import type { Chain, Simulation } from './chain.ts'

/** What a simulation needs of the process. */
export interface SimulationDeps {
  chain: Pick<Chain, 'simulate'>
  config: Pick<Config, 'MAX_RELAY_GAS'>
}

/**
 * Runs a call as a relayer would send it. What it costs can rise after bind (a contract that checks
 * a signature decides what that takes): a call above its limit counts as one that cannot act, or a nonce sequence would
 * wait for what no block takes.
 * @param call `gasLimit` null: MAX_RELAY_GAS
 */
export async function simulateCall(
  { chain, config }: SimulationDeps,
  call: { from: Address; to: Address; data: Hex; gasLimit: bigint | null; blockNumber?: bigint },
): Promise<Simulation> {
  const gasLimit = call.gasLimit ?? BigInt(config.MAX_RELAY_GAS)
  return await chain.simulate({ ...call, gasLimit })
}
