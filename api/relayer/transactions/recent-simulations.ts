import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { RelayMode } from '../../../protocol/relay.ts'

/**
 * The time in milliseconds, about one block, for which the result of a simulation is fresh. While the result is fresh,
 * the simulated call can be signed without a new simulation.
 */
export const SIMULATION_FRESH_MS = 2_000
/**
 * The largest number of cached simulations. One process makes fewer simulations than this in `SIMULATION_FRESH_MS`
 * milliseconds.
 */
const MAX_KEPT = 1_000

/** The key of a simulated call: the chain intent id and the relay mode. */
export interface SimulatedCall {
  chainIntentId: Hex
  /**
   * The relay mode. Null if the call contains the signature of the owner of the assets and is submitted without the
   * forwarder.
   */
  mode: RelayMode | null
}

/**
 * The gas of recently simulated calls (docs/internals/decisions/0025). A write is usually signed milliseconds after its
 * simulation, so the result is used again.
 */
export interface RecentSimulations {
  /** Stores a result. @param simulatedAt the start of the simulation, by `performance.now()` */
  keep(call: SimulatedCall, simulation: { gas: bigint; simulatedAt: number }): void
  /** Returns and removes the gas of a call. Null if the call was not simulated, or the result is too old. */
  take(call: SimulatedCall): bigint | null
}

export function createRecentSimulations(): RecentSimulations {
  const simulations = new LRUCache<string, { gas: bigint; simulatedAt: number }>({ max: MAX_KEPT })
  const keyOf = ({ chainIntentId, mode }: SimulatedCall) => `${chainIntentId} ${mode}`
  return {
    keep: (call, simulation) => {
      simulations.set(keyOf(call), simulation)
    },
    take: (call) => {
      const key = keyOf(call)
      const simulation = simulations.get(key)
      simulations.delete(key)
      return simulation !== undefined && performance.now() - simulation.simulatedAt < SIMULATION_FRESH_MS
        ? simulation.gas
        : null
    },
  }
}
