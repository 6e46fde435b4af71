import type { onchainTable } from 'ponder'

/** The column builders that Ponder passes to the callback of a table. */
type ColumnBuilders = Parameters<Extract<Parameters<typeof onchainTable>[1], (...builders: never[]) => unknown>>[0]

/**
 * Returns the columns that store the chain position of the event from which a row was written: the block's height and
 * time (Unix seconds), the transaction's hash and index, and the log's index. A reorg may change these values, so a
 * row's key never contains them.
 */
export function position(t: ColumnBuilders) {
  return {
    /** Height of the block. */
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the block, Unix seconds. */
    blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    /** Hash of the transaction. */
    transactionHash: t.hex().notNull(),
    /** Index of the transaction in its block, from 0. */
    transactionIndex: t.integer().notNull(),
    /** Index of the log in its block, from 0. */
    logIndex: t.integer().notNull(),
  }
}
