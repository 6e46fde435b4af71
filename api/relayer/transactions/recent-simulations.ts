import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { RelayMode } from '../../../protocol/relay.ts'

/** How old a simulation may be that a transaction is signed by, milliseconds: a block. */
export const SIMULATION_FRESH_MS = 2_000
/** Writes that one process simulates in that time are fewer. */
const MAX_KEPT = 1_000

/** A relayed call: an id is bound to one call, and each relay mode wraps it in its own. */
export interface SimulatedCall {
  chainIntentId: Hex
  /** Null: the call is submitted as it is. */
  mode: RelayMode | null
}

/**
 * Gas of the calls that were simulated a moment ago (docs/decisions/0025). A write is simulated for its caller, and is
 * mostly signed within milliseconds: a second simulation would see the same state.
 */
export interface RecentSimulations {
  /** @param simulatedAt when the simulation began, by `performance.now()` */
  keep(call: SimulatedCall, found: { gas: bigint; simulatedAt: number }): void
  /** The gas of a call, once; null: it was not simulated, or too long ago. */
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
