import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per incoming transfer that belongs to no call of our contracts. Such a transfer is a gift, or a payment whose
 * authorization was not submitted by the forwarder. The token is USDC or the reward token. The recipient is the market,
 * the payment forwarder or the bonus programme. Transfers from the deployment's own contracts have no row. Key:
 * `<contract>:<ordinal>`; the ordinal counts the contract's transfers from 0.
 */
export const arrival = onchainTable(
  'arrival',
  (t) => ({
    /** Key: the receiving contract and the number of the row among the contract's rows, `<contract>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** Address of the token that arrived: USDC or the reward token. */
    token: t.hex().notNull(),
    /** Address of the receiving contract: the market, the payment forwarder or the bonus programme. */
    contract: t.hex().notNull(),
    /** Sender of the tokens. */
    sender: t.hex().notNull(),
    /**
     * Amount in base units of the token. If a later event shows that the transfer belongs to a call, the amount becomes
     * 0. The contract's next arrival may overwrite such a row.
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

/**
 * One row per contract that received tokens. The row contains the number that the contract's next row in `arrival`
 * gets. Key: the contract's address. Only the indexer reads the row.
 */
export const arrivalCount = onchainTable('arrival_count', (t) => ({
  /** Address of the contract that received tokens. */
  contract: t.hex().primaryKey(),
  /** Number that the contract's next row in `arrival` gets as the ordinal in its key. */
  next: t.integer().notNull(),
}))
