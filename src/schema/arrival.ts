import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per transfer of USDC or of the reward token to the market, the payment forwarder or the bonus programme
 * outside of their calls: gifts, and payments that another account submitted. Transfers between our own contracts have
 * no row. Key: `<contract>:<ordinal>`, ordinal from 0 within the contract.
 */
export const arrival = onchainTable(
  'arrival',
  (t) => ({
    /** `<contract>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** Address of the token: USDC or the reward token. */
    token: t.hex().notNull(),
    /** The recipient: market, payment forwarder or bonus programme. */
    contract: t.hex().notNull(),
    /** Sender of the tokens. */
    sender: t.hex().notNull(),
    /**
     * Amount in base units of the token. Zero: a call accounts for the transfer, and the next arrival may replace the
     * row.
     */
    amount: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({
    bySender: index().on(table.sender, table.blockNumber),
    byContract: index().on(table.contract, table.blockNumber),
    byBlock: index().on(table.blockNumber),
  }),
)

/** One row per contract that received tokens. Key: its address. Only the indexer reads it. */
export const arrivalCount = onchainTable('arrival_count', (t) => ({
  /** Address of the contract. */
  contract: t.hex().primaryKey(),
  /** Ordinal of its next arrival. */
  next: t.integer().notNull(),
}))
