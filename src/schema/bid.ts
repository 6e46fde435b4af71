import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a worker's present bid in a task (`BidSubmitted`): a later bid replaces the earlier one, with its place
 * in the chain. Key: keccak256(abi.encode(taskId, worker)). Of equal bids the one with the lower number wins.
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
    /** The amount that the worker asks for, USDC base units. */
    price: t.bigint().notNull(),
    /** Which bid of the task this is, from 1, replaced ones counted. */
    bidNumber: t.integer().notNull(),
    /** How often this worker bid in this task. */
    placedCount: t.integer().notNull(),
    /** Unix seconds of the present bid. */
    placedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** End of bidding in the task, Unix seconds: its terms are fixed from the first bid on. */
    bidDeadline: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    lowest: index().on(table.taskId, table.price, table.bidNumber),
    byWorker: index().on(table.worker, table.placedAt),
    /** A worker's bids that still stand against others. */
    byWorkerDeadline: index().on(table.worker, table.bidDeadline, table.taskId),
  }),
)
