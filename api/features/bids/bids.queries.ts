import type { Address, Hex } from 'viem'
import type { biddingTypes } from '../../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../../protocol/rules/task-status.ts'
import type { Queryable } from '../../db/client.ts'

/**
 * A bid, with the columns of the task that decide whether the bid is sealed. Amounts are in base units of USDC, times
 * in Unix seconds.
 */
export interface BidRow {
  id: Hex
  taskId: Hex
  worker: Address
  price: bigint
  placedAt: bigint
  /** The bidder's ERC-8004 id, or null if the bidder has none. */
  agentId: bigint | null
  auctionType: string | null
  bidDeadline: bigint | null
  taskCreatedAt: bigint
}

/** Lists the present bids of a task, the winning bid first. The contract limits a task to 500 bids. */
export async function listBids(sql: Queryable, taskId: Hex): Promise<BidRow[]> {
  return await sql<BidRow[]>`
    select b.id, b.task_id, b.worker, b.price, b.placed_at, a.agent_id, t.auction_type, t.bid_deadline,
      t.created_at as task_created_at
    from bid b
    join task t on t.id = b.task_id
    left join agent a on a.address = b.worker
    where b.task_id = ${taskId}
    order by b.price, b.bid_number`
}

/** A worker's bid in a running auction, with the auction's lowest bid and number of bidders. */
export interface LiveBidRow {
  taskId: Hex
  price: bigint
  bidDeadline: bigint
  auctionType: (typeof biddingTypes)[number]
  status: TaskStatus
  lowestBid: bigint
  bidderCount: number
}

/** Lists a worker's bids in open auctions with a bid deadline after `now`, the nearest deadline first. */
export async function listLiveBids(
  sql: Queryable,
  worker: Address,
  { now, limit, after }: { now: bigint; limit: number; after?: Hex | undefined },
): Promise<LiveBidRow[]> {
  // An auction with a bid ends after its bid deadline, so the condition on the status removes no row of the index.
  return await sql<LiveBidRow[]>`
    select b.task_id, b.price, b.bid_deadline, t.auction_type, t.status, t.lowest_bid, t.bidder_count
    from bid b
    join task t on t.id = b.task_id
    where b.worker = ${worker} and b.bid_deadline > ${now} and t.status = 'open'
      ${
        after === undefined
          ? sql``
          : sql`and (b.bid_deadline, b.task_id) > (
              select bid_deadline, task_id from bid where worker = ${worker} and task_id = ${after})`
      }
    order by b.bid_deadline, b.task_id
    limit ${limit}`
}

/** Returns true if a worker has a bid in a task, even after the auction has ended. */
export async function hasBid(sql: Queryable, worker: Address, taskId: Hex): Promise<boolean> {
  const rows = await sql`select from bid where worker = ${worker} and task_id = ${taskId}`
  return rows.length > 0
}
