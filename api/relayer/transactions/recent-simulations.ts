import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { RelayMode } from '../../../protocol/relay.ts'

/**
 * The age up to which a simulation's result may be used for a signature, milliseconds. It is about the time of one
 * block.
 */
export const SIMULATION_FRESH_MS = 2_000
/** The largest number of cached simulations. It exceeds the number that one process makes in `SIMULATION_FRESH_MS`. */
const MAX_KEPT = 1_000

/**
 * The key of a simulated call. A chain intent id belongs to one call, and each relay mode encodes that call
 * differently.
 */
export interface SimulatedCall {
  chainIntentId: Hex
  /** The relay mode; null if the call is submitted as its owner signed it. */
  mode: RelayMode | null
}

/**
 * The gas of recently simulated calls (docs/internals/decisions/0025). A write is simulated while its request is
 * handled, and usually signed milliseconds later. A second simulation would use the same state, so the first result is
 * reused.
 */
export interface RecentSimulations {
  /** Stores a result. @param simulatedAt the start of the simulation, by `performance.now()` */
  keep(call: SimulatedCall, simulation: { gas: bigint; simulatedAt: number }): void
  /** Returns and removes the gas of a call; null if the call was not simulated or the result is too old. */
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
