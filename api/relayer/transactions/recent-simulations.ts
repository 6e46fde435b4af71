import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { RelayMode } from '../../../protocol/relay.ts'

/** The age of a simulation that a transaction may be signed by, milliseconds: a block. */
export const SIMULATION_FRESH_MS = 2_000
/** The cached simulations, more than one process simulates in that time. */
const MAX_KEPT = 1_000

/** A relayed call: an id belongs to one call, and each relay mode wraps it differently. */
export interface SimulatedCall {
  chainIntentId: Hex
  /** The relay mode; null: the call is submitted as signed. */
  mode: RelayMode | null
}

/**
 * The gas of recently simulated calls (docs/internals/decisions/0025). A write is simulated for its caller, and mostly
 * signed within milliseconds, so a second simulation would use the same state.
 */
export interface RecentSimulations {
  /** Stores a result. @param simulatedAt the start of the simulation, by `performance.now()` */
  keep(call: SimulatedCall, found: { gas: bigint; simulatedAt: number }): void
  /** Takes the gas of a call, once; null: it was not simulated, or too long ago. */
  take(call: SimulatedCall): bigint | null
}

export function createRecentSimulations(): RecentSimulations {
  const kept = new LRUCache<string, { gas: bigint; simulatedAt: number }>({ max: MAX_KEPT })
  const keyOf = ({ chainIntentId, mode }: SimulatedCall) => `${chainIntentId} ${mode}`
  return {
    keep: (call, found) => {
      kept.set(keyOf(call), found)
    },
    take: (call) => {
      const key = keyOf(call)
      const found = kept.get(key)
      kept.delete(key)
      return found !== undefined && performance.now() - found.simulatedAt < SIMULATION_FRESH_MS ? found.gas : null
    },
  }
}
