import { toAddress, toTimestamp } from '../http/response-schemas.ts'
import type { StoredEvent } from './read-events.queries.ts'

/** Returns the id of an event log entry. Example: `toEventId('9f2c4e7a10b3', 42n)` returns `'9f2c4e7a10b3-42'`. */
export function toEventId(epoch: string, sequence: bigint): string {
  return `${epoch}-${sequence}`
}

/**
 * Parses the id of an entry. Returns null if the text is not in the form of an id. Example:
 * `parseEventId('9f2c4e7a10b3-42')` returns `{ epoch: '9f2c4e7a10b3', sequence: 42n }`.
 */
export function parseEventId(id: string): { epoch: string; sequence: bigint } | null {
  const [, epoch, sequence] = /^([0-9a-f]{12})-([0-9]{1,18})$/.exec(id) ?? []
  return epoch === undefined || sequence === undefined ? null : { epoch, sequence: BigInt(sequence) }
}

/** Returns an event log entry in the form that the API returns. */
export function toEvent(event: StoredEvent, epoch: string) {
  const toData = () => {
    const idOf = (of: unknown) => toEventId(epoch, BigInt(String(of)))
    if (kind === 'reverted') return { eventId: idOf(data.sequence) }
    return kind === 'revealed' ? { eventIds: (data.sequences as string[]).map(idOf) } : data
  }
  const { sequence, kind, blockNumber, blockTimestamp, transactionHash, taskId, addresses, data } = event
  return {
    id: toEventId(epoch, sequence),
    kind,
    block: { number: Number(blockNumber), timestamp: toTimestamp(blockTimestamp) },
    txHash: transactionHash,
    taskId,
    addresses: addresses.map(toAddress),
    data: toData(),
  }
}
