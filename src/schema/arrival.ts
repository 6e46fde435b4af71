import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per incoming transfer that no call of our contracts accounts for: a gift, or a payment whose authorization
 * another account submitted. The token is USDC or the reward token, the recipient the market, the payment forwarder or
 * the bonus programme. A transfer from one of the deployment's own contracts has no row. Key: `<contract>:<ordinal>`;
 * the ordinal counts the contract's transfers from 0.
 */
export const arrival = onchainTable(
  'arrival',
  (t) => ({
    /** `<contract>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** Address of the token: USDC or the reward token. */
    token: t.hex().notNull(),
    /** Address of the receiving contract: the market, the payment forwarder or the bonus programme. */
    contract: t.hex().notNull(),
    /** Sender of the tokens. */
    sender: t.hex().notNull(),
    /**
     * Amount in base units of the token. Zero if a later event shows that a call accounts for the transfer; the next
     * arrival may then replace the row.
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
 * One row per contract that received tokens: the counter from which `arrival` takes its ordinals. Key: the contract's
 * address. Only the indexer reads the row.
 */
export const arrivalCount = onchainTable('arrival_count', (t) => ({
  /** Address of the contract. */
  contract: t.hex().primaryKey(),
  /** Ordinal of the contract's next row in `arrival`. */
  next: t.integer().notNull(),
}))
