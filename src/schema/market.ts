import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/** One row: the market's current settings. Key: `market`. */
export const marketConfig = onchainTable('market_config', (t) => ({
  /** Key of the only row: always `market`. */
  id: t.text().primaryKey(),
  /** Address of the market. */
  market: t.hex().notNull(),
  /** Address of the payment forwarder. */
  forwarder: t.hex().notNull(),
  /** Address of the token in which all payments are made. */
  usdc: t.hex().notNull(),
  /** Platform fee of tasks that are created from now on, basis points. */
  feeBps: t.integer().notNull(),
  /**
   * Account that receives platform fees and forfeited stakes; null until the market logs an account for the first time.
   */
  feeRecipient: t.hex(),
  /** Address of the ERC-8004 identity registry; null until the market logs it for the first time. */
  identityRegistry: t.hex(),
  /** Address of the ERC-8004 reputation registry; null until the market logs it for the first time. */
  reputationRegistry: t.hex(),
  /** Hooks that the market adds to every new task, in the order of the calls. They run before the requester's hooks. */
  defaultHooks: t.hex().array().notNull(),
  /**
   * True while the market refuses new tasks, claims, pitches, bids, accepted auction prices and reward increases.
   * Refunds, withdrawals and payouts remain possible.
   */
  paused: t.boolean().notNull(),
  /** Number of rows in `market_event`. The next row gets this number as its ordinal. */
  eventCount: t.integer().notNull(),
}))

/**
 * One row per event without a task: settings of the market, the payment forwarder and the bonus programme, withdrawn
 * credits, and returned payments. Key: an ordinal from 0. A reorg does not change the ordinal.
 */
export const marketEvent = onchainTable(
  'market_event',
  (t) => ({
    /** Index of the event among all events that belong to no task, from 0. */
    ordinal: t.integer().primaryKey(),
    /** Contract that logged the event: market, forwarder or bonus. */
    contract: t.text().notNull(),
    /** The Solidity event name, such as FeeUpdated. */
    name: t.text().notNull(),
    /** Arguments of the event. Amounts and times are decimal strings. */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    ...position(t),
  }),
  (table) => ({
    byName: index().on(table.name, table.blockTimestamp),
    // The account that an event pays from, and the one that it pays.
    byAccount: index('market_event_account_index').on(sql`(args->>'account')`, table.blockNumber),
    byFrom: index('market_event_from_index').on(sql`(args->>'from')`, table.blockNumber),
    byTo: index('market_event_to_index').on(sql`(args->>'to')`, table.blockNumber),
  }),
)

/** One row: running totals over all tasks. Key: `market`. */
export const marketStats = onchainTable('market_stats', (t) => ({
  /** Key of the only row: always `market`. */
  id: t.text().primaryKey(),
  /** Number of all tasks that were ever created, unlisted tasks included. */
  taskCount: t.integer().notNull(),
  /** Sum of the current rewards of all tasks in USDC base units. Cancelled and expired tasks are included. */
  totalRewards: t.bigint().notNull(),
  /** Number of all tasks that were ever created and are listed on chain. */
  listedTaskCount: t.integer().notNull(),
  /** Sum of the current rewards of all tasks that are listed on chain, USDC base units. */
  listedTotalRewards: t.bigint().notNull(),
  /**
   * Amount that the market owes to accounts: open escrow, stakes and credits, USDC base units; equals the contract's
   * totalEscrow.
   */
  totalEscrow: t.bigint().notNull(),
  /** Sum of all award payments to workers, self-awards included, USDC base units. */
  totalWorkerPayments: t.bigint().notNull(),
  /** Sum of the platform fees of all awards, self-awards included, USDC base units. */
  totalPlatformFees: t.bigint().notNull(),
  /** Number of rows in `agent` in which `ranked` is true. */
  agentCount: t.integer().notNull(),
  /** Sum of the award payments to workers for tasks that are listed on chain, self-awards excluded, USDC base units. */
  listedEarnings: t.bigint().notNull(),
  /**
   * Sum of the reward tokens that all accounts can withdraw now, base units of the token; equals the bonus programme's
   * totalClaimable.
   */
  bonusLiability: t.bigint().notNull(),
  /** `createdAtMs` of the newest task. The next task gets a higher value. */
  lastCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
}))

/**
 * One row per reference code: a short code by which people name a task or a submission. Key: the code. If two ids would
 * have the same code, the later id gets a longer code.
 */
export const referenceCode = onchainTable('reference_code', (t) => ({
  /** Short code for people: `TSK-` or `SUB-`, and 8 or more characters. */
  code: t.text().primaryKey(),
  /** Kind of the object that the reference code names: task or submission. */
  kind: t.text().notNull(),
  /** Id of the task or submission that the reference code names. */
  targetId: t.hex().notNull(),
}))
