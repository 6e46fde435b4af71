import type { Address, Hex } from 'viem'
import { areBidsSealed } from '../../../protocol/sealed-bids.ts'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { BidRow, LiveBidRow } from './bids.queries.ts'
import type { Bid, MyBid } from './bids.schemas.ts'

/** The reader of bids and the time of reading. */
export interface BidView {
  /** The reader's address in lower case, or null if the reader is anonymous. */
  caller: Address | null
  /** The time of the latest block, in Unix seconds. */
  now: bigint
  sealedIdOf(bidId: Hex): Hex
}

/**
 * Returns the bids of one task in the form that the caller may read. In a sealed bid of another worker, the worker and
 * the price are null, and the time is the time when the task was created. Sealed bids are ordered by id, because the
 * order by price would disclose the lowest bid.
 */
export function toBids(rows: readonly BidRow[], view: BidView): Bid[] {
  const bids = rows.map((row) => toBid(row, view))
  const isSealed = rows.some((row) => areBidsSealed(row, view.now))
  return isSealed ? bids.toSorted((one, other) => (one.id < other.id ? -1 : 1)) : bids
}

function toBid(row: BidRow, { caller, now, sealedIdOf }: BidView): Bid {
  const isMine = row.worker === caller
  const whose = caller === null ? {} : { isMyBid: isMine }
  if (!isMine && areBidsSealed(row, now)) {
    return {
      id: sealedIdOf(row.id),
      taskId: row.taskId,
      workerAddress: null,
      workerAgentId: null,
      price: null,
      createdAt: toTimestamp(row.taskCreatedAt),
      ...whose,
    }
  }
  return {
    id: row.id,
    taskId: row.taskId,
    workerAddress: toAddress(row.worker),
    workerAgentId: row.agentId?.toString() ?? null,
    price: toAmount(row.price),
    createdAt: toTimestamp(row.placedAt),
    ...whose,
  }
}

/**
 * Returns the public form of the caller's bid in a running auction. The field for the lowest bid of all workers is null
 * in a reverse english auction, where bids are sealed.
 */
export function toMyBid(row: LiveBidRow): MyBid {
  return {
    taskId: row.taskId,
    auctionType: row.auctionType,
    myBidPrice: toAmount(row.price),
    currentLowestBid: row.auctionType === 'english' ? toAmount(row.lowestBid) : null,
    bidDeadline: toTimestamp(row.bidDeadline),
    bidCount: row.bidderCount,
    taskStatus: row.status,
  }
}
