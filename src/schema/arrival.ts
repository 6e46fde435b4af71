import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a transfer of USDC or of the reward token to market, payment forwarder or bonus programme that is no part of a
 * call of theirs: gifts, and payments that another account submitted. Transfers between our own contracts are none. Key:
 * `<contract>:<ordinal>`, ordinal from 0 within the contract.
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
    /** Who sent it. */
    sender: t.hex().notNull(),
    /** Base units of the token. Zero: a call took the transfer into account, and the next arrival may take the key. */
    amount: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({
    bySender: index().on(table.sender, table.blockNumber),
    byContract: index().on(table.contract, table.blockNumber),
    byBlock: index().on(table.blockNumber),
  }),
)

/** One row a contract that tokens arrived at. Key: its address. Only the indexer reads it. */
export const arrivalCount = onchainTable('arrival_count', (t) => ({
  /** Address of the contract. */
  contract: t.hex().primaryKey(),
  /** The ordinal of its next arrival. */
  next: t.integer().notNull(),
}))
