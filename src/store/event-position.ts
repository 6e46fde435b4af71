import type { bid } from '../schema/bid.ts'

/** The columns of `position` (src/schema), typed by those of bids. */
type Position = Pick<
  typeof bid.$inferInsert,
  'blockNumber' | 'blockTimestamp' | 'transactionHash' | 'transactionIndex' | 'logIndex'
>

/** The parts of a Ponder log event that contain its place in the chain. */
export interface PositionedEvent {
  block: { number: bigint; timestamp: bigint }
  transaction: { hash: `0x${string}`; transactionIndex: number }
  log: { logIndex: number }
}

/**
 * Returns the position columns of a row that comes from `event`, and no other column, so that an insert may spread
 * them.
 */
export function positionOf(event: PositionedEvent) {
  return {
    blockNumber: event.block.number,
    blockTimestamp: event.block.timestamp,
    transactionHash: event.transaction.hash,
    transactionIndex: event.transaction.transactionIndex,
    logIndex: event.log.logIndex,
  } satisfies Position
}
