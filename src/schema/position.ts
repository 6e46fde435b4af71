import type { onchainTable } from 'ponder'

/** The column builders that a table's callback receives. */
type ColumnBuilders = Parameters<Extract<Parameters<typeof onchainTable>[1], (...builders: never[]) => unknown>>[0]

/**
 * The place in the chain of the event that a row comes from: block height and time (Unix seconds), transaction, and the
 * log's place in both. A reorg rewrites these, so they are never part of a row's identity.
 */
export function position(t: ColumnBuilders) {
  return {
    /** Height of the block. */
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the block, Unix seconds. */
    blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    /** Hash of the transaction. */
    transactionHash: t.hex().notNull(),
    /** Position of the transaction in its block, from 0. */
    transactionIndex: t.integer().notNull(),
    /** Position of the log in its block, from 0. */
    logIndex: t.integer().notNull(),
  }
}
