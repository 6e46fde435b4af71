import { ChainUnavailable, type Simulation } from '../../chain/chain.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { transactionOfIntent } from '../../intents/relayed-call.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'

/** The chain as it stands after one block: every answer of a decision is about the same state. */
export interface BlockSnapshot {
  blockNumber: bigint
  /** Of that block, Unix seconds. */
  timestamp: bigint
  /** Runs the intent's call on that state. */
  simulate(intent: BoundIntent): Promise<Simulation>
}

/**
 * The newest state, if it is new enough to conclude from: what a node does not show yet has not "not happened". Reads
 * name the block, so that a second node, which is further behind, gives no answer instead of a wrong one.
 * @param atLeast the block at which the last thing known happened (the bind, a receipt)
 * @throws ChainUnavailable when the node is behind that
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
