import type { onchainTable } from 'ponder'

/** The column builders that Ponder passes to the callback of a table. */
type ColumnBuilders = Parameters<Extract<Parameters<typeof onchainTable>[1], (...builders: never[]) => unknown>>[0]

/**
 * Returns the columns for the chain position of a row's event: block height and time (Unix seconds), transaction hash
 * and index, and log index. A reorg may change these values, so no key contains them.
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
