import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a relayed call (`IntentRelayed` of the payment forwarder). Key: the 32-byte intent id. The second
 * confirmation source of a write, joined to its effects by the transaction: an intent acted when actor, selector and
 * payment are its own, too.
 */
export const relayedIntent = onchainTable(
  'relayed_intent',
  (t) => ({
    intentId: t.hex().primaryKey(),
    /** Zero address for permissionless calls. */
    actor: t.hex().notNull(),
    /** 4-byte selector of the relayed call. */
    selector: t.hex().notNull(),
    /** USDC base units that came with it. */
    amount: t.bigint().notNull(),
    /** ERC-3009 nonce of the payment; zero hash when free. */
    paymentNonce: t.hex().notNull(),
    ...position(t),
  }),
  (table) => ({ byActor: index().on(table.actor), byTransaction: index().on(table.transactionHash) }),
)

/**
 * One row a payment given back (`PrepaidRefunded` of the payment forwarder): an authorization that another account had
 * submitted and that funded nothing. Key: `<payer>:<nonce>`.
 */
export const prepaidRefund = onchainTable('prepaid_refund', (t) => ({
  id: t.text().primaryKey(),
  payer: t.hex().notNull(),
  /** ERC-3009 nonce of the payment. */
  nonce: t.hex().notNull(),
  /** USDC base units. */
  amount: t.bigint().notNull(),
  ...position(t),
}))
