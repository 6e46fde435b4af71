import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per relayed call (`IntentRelayed` of the payment forwarder). Key: the 32-byte intent id. The API's second
 * confirmation source of a write. The transaction joins it to its effects. An intent took effect where actor, selector
 * and payment also are those of the intent.
 */
export const relayedIntent = onchainTable(
  'relayed_intent',
  (t) => ({
    /** 32-byte id of the signed intent. */
    intentId: t.hex().primaryKey(),
    /** Account that signed the intent; the zero address for permissionless calls. */
    actor: t.hex().notNull(),
    /** 4-byte selector of the relayed call. */
    selector: t.hex().notNull(),
    /** USDC base units that pay for the call. */
    amount: t.bigint().notNull(),
    /** Part of `amount` that the call moved into escrow or a stake. The other part is the service's fee. */
    escrowAmount: t.bigint().notNull(),
    /** True: the payment arrived in an earlier transaction, submitted by another account. */
    prepaid: t.boolean().notNull(),
    /** ERC-3009 nonce of the payment; the zero hash for a free call. */
    paymentNonce: t.hex().notNull(),
    /** The task of the call; null: the call is about no task. */
    taskId: t.hex(),
    ...position(t),
  }),
  (table) => ({
    byActor: index().on(table.actor),
    byPayer: index('relayed_intent_payer_index').on(table.actor, table.blockNumber).where(sql`amount > escrow_amount`),
    byPrepaidPayer: index('relayed_intent_prepaid_index').on(table.actor, table.blockNumber).where(sql`prepaid`),
    byTransaction: index().on(table.transactionHash),
    byTask: index().on(table.taskId, table.blockNumber),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * One row: facts of a relayed call that are logged before its `IntentRelayed`. Key: `market`. Only the indexer reads
 * it.
 */
export const relayTrace = onchainTable('relay_trace', (t) => ({
  /** Always `market`. */
  id: t.text().primaryKey(),
  /** Transaction of the last event of a task since the last relay; null: none. */
  taskTransaction: t.hex(),
  /** Task of that event; null: no event yet. */
  taskId: t.hex(),
  /** Transaction of the last payments of the forwarder to the market since the last relay; null: none. */
  escrowTransaction: t.hex(),
  /** Sum of these payments, USDC base units. */
  escrowAmount: t.bigint().notNull(),
}))

/**
 * One row per returned payment (`PrepaidRefunded` of the payment forwarder): an authorization that another account
 * submitted and that funded no call. Key: `<payer>:<nonce>`.
 */
export const prepaidRefund = onchainTable(
  'prepaid_refund',
  (t) => ({
    /** `<payer>:<nonce>`. */
    id: t.text().primaryKey(),
    /** Payer, who got the payment back. */
    payer: t.hex().notNull(),
    /** ERC-3009 nonce of the payment. */
    nonce: t.hex().notNull(),
    /** Amount, USDC base units. */
    amount: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({ byPayer: index().on(table.payer, table.blockNumber) }),
)
