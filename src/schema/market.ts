import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/** One row: the market's settings as its administration events left them. Key: `market`. */
export const marketConfig = onchainTable('market_config', (t) => ({
  /** Always `market`. */
  id: t.text().primaryKey(),
  /** Address of the market. */
  market: t.hex().notNull(),
  /** Address of the payment forwarder. */
  forwarder: t.hex().notNull(),
  /** Address of the token of all payments. */
  usdc: t.hex().notNull(),
  /** Platform fee of future tasks, basis points. */
  feeBps: t.integer().notNull(),
  /** Account that receives platform fees and forfeited stakes; null before its first event. */
  feeRecipient: t.hex(),
  /** Address of the ERC-8004 registry of identities; null before its first event. */
  identityRegistry: t.hex(),
  /** Address of the ERC-8004 registry of reputation; null before its first event. */
  reputationRegistry: t.hex(),
  /** Hooks that every future task runs first, in the order of the calls. */
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
    /** Position among all such events, from 0. */
    ordinal: t.integer().primaryKey(),
    /** The contract that logged it: market, forwarder or bonus. */
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
  /** Always `market`. */
  id: t.text().primaryKey(),
  /** All tasks ever created, those that are not listed too. */
  taskCount: t.integer().notNull(),
  /**
   * Rewards of all tasks as created and updated, USDC base units; those of tasks that were cancelled or expired too.
   */
  totalRewards: t.bigint().notNull(),
  /** Tasks listed on chain. */
  listedTaskCount: t.integer().notNull(),
  /** Rewards of tasks listed on chain as created and updated, USDC base units. */
  listedTotalRewards: t.bigint().notNull(),
  /** What the market owes: open escrow, stakes and credits, base units; equals the contract's totalEscrow. */
  totalEscrow: t.bigint().notNull(),
  /** Paid to workers by awards, those of requesters to themselves too, USDC base units. */
  totalWorkerPayments: t.bigint().notNull(),
  /** Paid to the platform by awards, those of requesters to themselves too, USDC base units. */
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
  /** The code, such as `TSK-` and 8 or more characters. */
  code: t.text().primaryKey(),
  /** task or submission. */
  kind: t.text().notNull(),
  /** The id the code stands for. */
  targetId: t.hex().notNull(),
}))
