import type { bid } from '../schema/bid.ts'

/** What `position` of src/schema gives a table, here that of bids. */
type Position = Pick<
  typeof bid.$inferInsert,
  'blockNumber' | 'blockTimestamp' | 'transactionHash' | 'transactionIndex' | 'logIndex'
>

/** The part of a Ponder log event that says where it stands in the chain. */
export interface PositionedEvent {
  block: { number: bigint; timestamp: bigint }
  transaction: { hash: `0x${string}`; transactionIndex: number }
  log: { logIndex: number }
}

/**
 * The position columns of a row that comes from `event`: those that `position` gives a table in src/schema, and no other,
 * so that a row which is inserted may spread them.
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
