import { ChainUnavailable, type Simulation } from '../../chain/chain.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { transactionOfIntent } from '../../intents/relayed-call.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** The chain after one block, so that all reads of a decision use the same state. */
export interface BlockSnapshot {
  blockNumber: bigint
  /** The time of that block, Unix seconds. */
  timestamp: bigint
  /** Runs the intent's call on that state. */
  simulate(intent: BoundIntent): Promise<Simulation>
}

/**
 * Returns the newest state, if it is new enough for a conclusion: a missing event on an older one proves nothing. Reads
 * name the block, so that a lagging second node gives no answer instead of a wrong one.
 * @param atLeast the block of the last known event (the bind, a receipt)
 * @throws ChainUnavailable when the node is behind it
 */
export async function pinBlock(deps: RelayerDeps, atLeast: bigint): Promise<BlockSnapshot> {
  const { number: blockNumber, timestamp } = await deps.chain.confirmedHead()
  if (blockNumber < atLeast) {
    throw new ChainUnavailable(`the node stands at block ${blockNumber} and must be asked at ${atLeast} or later`)
  }
  return {
    blockNumber,
    timestamp,
    simulate: (intent) =>
      simulateCall(deps, {
        from: deps.relayer.accounts[0].address,
        ...transactionOfIntent(intent, deps.deployment),
        gasLimit: intent.gasLimit,
        blockNumber,
      }),
  }
}
