/** The part of a Ponder log event that says where it stands in the chain. */
export interface PositionedEvent {
  block: { number: bigint; timestamp: bigint }
  transaction: { hash: `0x${string}`; transactionIndex: number }
  log: { logIndex: number }
}

/** The position columns of a row born from `event`. */
export function positionOf(event: PositionedEvent) {
  return {
    blockNumber: event.block.number,
    blockTimestamp: event.block.timestamp,
    transactionHash: event.transaction.hash,
    transactionIndex: event.transaction.transactionIndex,
    logIndex: event.log.logIndex,
  }
}
