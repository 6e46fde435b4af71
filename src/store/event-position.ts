import type { bid } from '../schema/bid.ts'

/** The columns of `position` (src/schema). The types are those of the table `bid`. */
type Position = Pick<
  typeof bid.$inferInsert,
  'blockNumber' | 'blockTimestamp' | 'transactionHash' | 'transactionIndex' | 'logIndex'
>

/** The parts of a Ponder event that give the event's position on the chain: block, transaction and log index. */
export interface PositionedEvent {
  block: { number: bigint; timestamp: bigint }
  transaction: { hash: `0x${string}`; transactionIndex: number }
  log: { logIndex: number }
}

/** Returns the values of the columns that `position` defines, for a row that `event` causes. */
export function positionOf(event: PositionedEvent) {
  return {
    blockNumber: event.block.number,
    blockTimestamp: event.block.timestamp,
    transactionHash: event.transaction.hash,
    transactionIndex: event.transaction.transactionIndex,
    logIndex: event.log.logIndex,
  } satisfies Position
}
