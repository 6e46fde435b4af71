import type { onchainTable } from 'ponder'

/** The column builders (such as `t.hex`) that Ponder passes to the function that lists a table's columns. */
type ColumnBuilders = Parameters<Extract<Parameters<typeof onchainTable>[1], (...builders: never[]) => unknown>>[0]

/**
 * Returns the columns for the chain position of a row's event: block height and time (Unix seconds), transaction hash
 * and index, and log index. A reorg may change these values, so no key contains them.
 */
export function position(t: ColumnBuilders) {
  return {
    /** Height of the block that contains the row's event. */
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the block that contains the row's event, Unix seconds. */
    blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    /** Hash of the transaction that logged the row's event. */
    transactionHash: t.hex().notNull(),
    /** Index, in the block, of the transaction that logged the row's event, from 0. */
    transactionIndex: t.integer().notNull(),
    /** Index of the row's event among all logs of the block, from 0. */
    logIndex: t.integer().notNull(),
  }
}
