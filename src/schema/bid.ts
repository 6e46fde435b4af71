import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per worker and task: the worker's current bid (`BidSubmitted`). A later bid replaces the amount, number, time
 * and chain position in the row. Key: keccak256(abi.encode(taskId, worker)). Of equal bids, the bid with the lowest
 * `bidNumber` wins.
 */
export const bid = onchainTable(
  'bid',
  (t) => ({
    /** Key: keccak256(abi.encode(taskId, worker)). */
    id: t.hex().primaryKey(),
    /** Id of the task that the bid is for. */
    taskId: t.hex().notNull(),
    /** The bidder. */
    worker: t.hex().notNull(),
    /** Amount for which the worker offers to do the task, USDC base units. */
    price: t.bigint().notNull(),
    /** Number of the bid among all bids of the task, counted from 1. Replaced bids are counted. */
    bidNumber: t.integer().notNull(),
    /** Number of bids by this worker in this task. */
    placedCount: t.integer().notNull(),
    /** Time of the current bid, Unix seconds. */
    placedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** End of bidding in the task, Unix seconds. From the first bid on, this time cannot change. */
    bidDeadline: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    lowest: index().on(table.taskId, table.price, table.bidNumber),
    byWorker: index().on(table.worker, table.placedAt),
    /** Serves the query for a worker's bids in tasks whose bidding is still open. */
    byWorkerDeadline: index().on(table.worker, table.bidDeadline, table.taskId),
  }),
)
