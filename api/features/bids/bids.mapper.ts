import type { Address, Hex } from 'viem'
import { areBidsSealed } from '../../../protocol/sealed-bids.ts'
import { toAddress, toAmount, toTimestamp } from '../../http/response-schemas.ts'
import type { BidRow, LiveBidRow } from './bids.queries.ts'
import type { Bid, MyBid } from './bids.schemas.ts'

/** The reader of bids, and the time. */
export interface BidView {
  /** The reader in lower case; null: anonymous. */
  caller: Address | null
  /** The time of the chain head, Unix seconds. */
  now: bigint
  sealedIdOf(bidId: Hex): Hex
}

/**
 * Returns the bids of one task as this caller may see them. Sealed ones disclose neither worker nor price nor time, and
 * their order is that of their ids.
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

/** Returns a bid of the caller in a running auction; other bids are visible in an english one only. */
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
