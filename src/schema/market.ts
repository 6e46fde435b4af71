import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/** One row: the market's settings after its last administration event. Key: `market`. */
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
  /** True if entries are paused. Exits never are. */
  paused: t.boolean().notNull(),
  /** Number of events in `market_event`: the next ordinal. */
  eventCount: t.integer().notNull(),
}))

/**
 * One row per event that is about no task: administration of the market, of the payment forwarder and of the bonus
 * programme, withdrawn credits, returned payments. Key: an ordinal from 0, which a reorg keeps.
 */
export const marketEvent = onchainTable(
  'market_event',
  (t) => ({
    /** Position among all such events, from 0. */
    ordinal: t.integer().primaryKey(),
    /** Contract that logged it: market, forwarder or bonus. */
    contract: t.text().notNull(),
    /** The Solidity event name, such as FeeUpdated. */
    name: t.text().notNull(),
    /** Arguments of the event; amounts and times as decimal strings. */
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
  /** Number of tasks ever created, unlisted tasks included. */
  taskCount: t.integer().notNull(),
  /** Sum of the rewards of all tasks as created and updated, USDC base units; cancelled and expired tasks included. */
  totalRewards: t.bigint().notNull(),
  /** Number of tasks listed on chain. */
  listedTaskCount: t.integer().notNull(),
  /** Sum of the rewards of tasks listed on chain as created and updated, USDC base units. */
  listedTotalRewards: t.bigint().notNull(),
  /** Debt of the market: open escrow, stakes and credits, USDC base units; equals the contract's totalEscrow. */
  totalEscrow: t.bigint().notNull(),
  /** Sum of the payments of awards to workers, self-awards included, USDC base units. */
  totalWorkerPayments: t.bigint().notNull(),
  /** Sum of the payments of awards to the platform, self-awards included, USDC base units. */
  totalPlatformFees: t.bigint().notNull(),
  /** Number of rows of `agent` that are `ranked`. */
  agentCount: t.integer().notNull(),
  /** Sum of the payments to workers by awards of tasks listed on chain, self-awards left out, USDC base units. */
  listedEarnings: t.bigint().notNull(),
  /** Sum that all accounts can claim of the reward token, its base units; equals the programme's totalClaimable. */
  bonusLiability: t.bigint().notNull(),
  /** `createdAtMs` of the newest task. The next task gets a higher one. */
  lastCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
}))

/** One row per reference code. Key: the code. The first indexed holder of a code keeps it. */
export const referenceCode = onchainTable('reference_code', (t) => ({
  /** The code, such as `TSK-` and 8 or more characters. */
  code: t.text().primaryKey(),
  /** Kind of the target: task or submission. */
  kind: t.text().notNull(),
  /** Id of the task or submission with the code. */
  targetId: t.hex().notNull(),
}))
