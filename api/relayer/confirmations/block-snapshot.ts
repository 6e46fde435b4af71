import { ChainUnavailable, type Simulation } from '../../chain/chain.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { transactionOfIntent } from '../../intents/relayed-call.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** The chain's state after one block. All reads for one decision use the same snapshot. */
export interface BlockSnapshot {
  blockNumber: bigint
  /** The block's timestamp, in Unix seconds. */
  timestamp: bigint
  /** Simulates the intent's call on the chain's state after this block. */
  simulate(intent: BoundIntent): Promise<Simulation>
}

/**
 * Returns the chain's state after the node's newest block. A node can lag behind. If its newest block is older than
 * `atLeast`, the state does not show all events that are already known, so no decision may use it.
 * @param atLeast the number of the newest block in which something about the intent is known to have happened, such as
 * the block of a receipt
 * @throws ChainUnavailable when the node has not reached `atLeast`
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
