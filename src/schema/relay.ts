import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per relayed call (`IntentRelayed` of the payment forwarder). Key: the 32-byte intent id. The API takes the
 * row as proof of a write only if the row's actor, selector and payment match the intent. Effects of the call are rows
 * with the same `transactionHash`.
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
    /** Amount that was paid for the call, USDC base units. */
    amount: t.bigint().notNull(),
    /** Part of `amount` that the call moved into escrow or a stake, USDC base units. The rest is the service's fee. */
    escrowAmount: t.bigint().notNull(),
    /** True if another account had submitted the payment's authorization in an earlier transaction. */
    prepaid: t.boolean().notNull(),
    /** ERC-3009 nonce of the payment; the zero hash for a free call. */
    paymentNonce: t.hex().notNull(),
    /** Task that the call is about; null if the call is about no task. */
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
 * One row: notes about the relayed call that the indexer is reading, namely the task and the escrow amount. The logs of
 * the call's effects come before the log `IntentRelayed`. The handlers of the earlier logs fill the row. The handler of
 * `IntentRelayed` reads and clears the row. Key: `market`. Only the indexer reads the row.
 */
export const relayTrace = onchainTable('relay_trace', (t) => ({
  /** Key of the only row: always `market`. */
  id: t.text().primaryKey(),
  /**
   * Hash of the transaction of the latest task event. Null if no task event has occurred since the last `IntentRelayed`
   * event.
   */
  taskTransaction: t.hex(),
  /** Id of the task of the latest task event; null before the first task event. */
  taskId: t.hex(),
  /**
   * Hash of the latest transaction in which the forwarder paid the market. Null if the forwarder has not paid the
   * market since the last `IntentRelayed` event.
   */
  escrowTransaction: t.hex(),
  /** Sum of the payments from the forwarder to the market in `escrowTransaction`, USDC base units. */
  escrowAmount: t.bigint().notNull(),
}))

/**
 * One row per payment that the payment forwarder returned to the payer (`PrepaidRefunded`). Another account had
 * submitted the payment's authorization, and no call used the payment. Key: `<payer>:<nonce>`.
 */
export const prepaidRefund = onchainTable(
  'prepaid_refund',
  (t) => ({
    /** Key of the row: `<payer>:<nonce>`. */
    id: t.text().primaryKey(),
    /** Account that had paid and got the payment back. */
    payer: t.hex().notNull(),
    /** ERC-3009 nonce of the payment. */
    nonce: t.hex().notNull(),
    /** Returned amount, USDC base units. */
    amount: t.bigint().notNull(),
    ...position(t),
  }),
  (table) => ({ byPayer: index().on(table.payer, table.blockNumber) }),
)
