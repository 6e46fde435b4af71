import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/** One row: the market's settings as its administration events left them. Key: `market`. */
export const marketConfig = onchainTable('market_config', (t) => ({
  id: t.text().primaryKey(),
  /** The contracts of this deployment: the market itself, the payment forwarder, and the token of all payments. */
  market: t.hex().notNull(),
  forwarder: t.hex().notNull(),
  usdc: t.hex().notNull(),
  /** Platform fee of future tasks, basis points. */
  feeBps: t.integer().notNull(),
  feeRecipient: t.hex(),
  identityRegistry: t.hex(),
  reputationRegistry: t.hex(),
  defaultHooks: t.hex().array().notNull(),
  /** Entries are paused; exits never are. */
  paused: t.boolean().notNull(),
  /** How many events of `market_event` there are: the next ordinal. */
  eventCount: t.integer().notNull(),
}))

/**
 * One row an event that is about no task: administration of the market, of the payment forwarder and of the bonus
 * programme, credits paid out, payments given back. Key: an ordinal from 0 (a reorg keeps it).
 */
export const marketEvent = onchainTable(
  'market_event',
  (t) => ({
    ordinal: t.integer().primaryKey(),
    /** Which contract: market, forwarder or bonus. */
    contract: t.text().notNull(),
    /** The Solidity event name, such as FeeUpdated. */
    name: t.text().notNull(),
    /** The event's arguments; amounts and times as decimal strings. */
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
  id: t.text().primaryKey(),
  taskCount: t.integer().notNull(),
  /** Gross rewards as created and updated, base units. */
  totalRewards: t.bigint().notNull(),
  /** The same for tasks listed on chain. */
  listedTaskCount: t.integer().notNull(),
  listedTotalRewards: t.bigint().notNull(),
  /** What the market owes: open escrow, stakes and credits, base units; equals the contract's totalEscrow. */
  totalEscrow: t.bigint().notNull(),
  /** Paid to workers and to the platform by awards, base units. */
  totalWorkerPayments: t.bigint().notNull(),
  totalPlatformFees: t.bigint().notNull(),
  /** Rows of `agent` that are `ranked`. */
  agentCount: t.integer().notNull(),
  /** Paid to workers by awards of tasks listed on chain, self-awards aside, base units. */
  listedEarnings: t.bigint().notNull(),
  /** What all accounts can claim of the reward token, its base units; equals the programme's totalClaimable. */
  bonusLiability: t.bigint().notNull(),
  /** `createdAtMs` of the newest task: the next one gets more. */
  lastCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
}))

/** One row a reference code. Key: the code. The first indexed holder of a code keeps it. */
export const referenceCode = onchainTable('reference_code', (t) => ({
  code: t.text().primaryKey(),
  /** task or submission. */
  kind: t.text().notNull(),
  /** The id the code stands for. */
  targetId: t.hex().notNull(),
}))
