import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per worker's current bid in a task (`BidSubmitted`). A later bid replaces the earlier one, with its place in
 * the chain. Key: keccak256(abi.encode(taskId, worker)). Of equal bids the one with the lower number wins.
 */
export const bid = onchainTable(
  'bid',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker)). */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** The bidder. */
    worker: t.hex().notNull(),
    /** Amount that the worker offers to work for, USDC base units. */
    price: t.bigint().notNull(),
    /** Number of the bid in the task, from 1, replaced bids counted. */
    bidNumber: t.integer().notNull(),
    /** Number of bids by this worker in this task. */
    placedCount: t.integer().notNull(),
    /** Time of the current bid, Unix seconds. */
    placedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** End of bidding in the task, Unix seconds. The first bid fixes the task's terms, so it does not change. */
    bidDeadline: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    lowest: index().on(table.taskId, table.price, table.bidNumber),
    byWorker: index().on(table.worker, table.placedAt),
    /** A worker's bids in tasks whose bidding is open. */
    byWorkerDeadline: index().on(table.worker, table.bidDeadline, table.taskId),
  }),
)
