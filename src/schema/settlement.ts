import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per settled award (`TaskCompleted`). Key: `<taskId>:<worker>`. Amounts are base units as paid and never
 * change. TaskRated sets `rating` and `ratedAt`.
 */
export const award = onchainTable(
  'award',
  (t) => ({
    /** `<taskId>:<worker>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who was awarded. */
    worker: t.hex().notNull(),
    /** `createdAtMs` of the task. Lists of a worker's tasks use it as their order. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Amount that the award takes from the escrow, USDC base units: the sum of `workerPayment` and `platformFee`. */
    grossAmount: t.bigint().notNull(),
    /** Paid to the worker, USDC base units. */
    workerPayment: t.bigint().notNull(),
    /** Paid to the platform, USDC base units. */
    platformFee: t.bigint().notNull(),
    /** Deliverable that was awarded. A verdict in a contest names only the worker: its latest submission. */
    deliverable: t.hex().notNull(),
    /** True if the requester awarded itself. Such an award counts in no record of the worker. */
    selfAward: t.boolean().notNull(),
    /** Time of the award, Unix seconds. */
    settledAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Rating, 0..100; null: not rated. */
    rating: t.integer(),
    /** Unix seconds of the rating; null: not rated. */
    ratedAt: t.int8({ mode: 'bigint' }),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.rank),
    byWorker: index().on(table.worker, table.settledAt),
    byWorkerNewest: index().on(table.worker, table.taskCreatedAtMs),
    byWorkerBlock: index().on(table.worker, table.blockNumber),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * One row per rating (`TaskRated`). Key: keccak256(abi.encode(taskId, worker)), served as the feedback id. The feedback
 * text is off chain, joined by (taskId, worker, feedbackHash).
 */
export const rating = onchainTable(
  'rating',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker)): the feedback id. */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who was rated. */
    worker: t.hex().notNull(),
    /** Requester who rated. */
    requester: t.hex().notNull(),
    /** Rating, 0..100. */
    rating: t.integer().notNull(),
    /** ERC-8004 agent id that the requester named as its own; informative; 0: none. */
    raterAgentId: t.bigint().notNull(),
    /** ERC-8004 agent id of the worker; null: the rating named none. */
    workerAgentId: t.bigint(),
    /** Address of the feedback that the requester named. NUL and lone surrogates are replaced by U+FFFD. */
    feedbackUri: t.text().notNull(),
    /** Commitment to the text of the feedback, which is off chain. */
    feedbackHash: t.hex().notNull(),
    /** Time of the rating, Unix seconds. */
    ratedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({ byTask: index().on(table.taskId), byWorker: index().on(table.worker, table.ratedAt) }),
)

/** One row per account with a deferred payout. Key: the account. Written by PayoutDeferred and CreditWithdrawn. */
export const credit = onchainTable('credit', (t) => ({
  /** Account that the market owes. */
  account: t.hex().primaryKey(),
  /** Amount that it can withdraw now, USDC base units. */
  amount: t.bigint().notNull(),
  /** Sum of its deferred payouts ever, USDC base units. */
  deferredTotal: t.bigint().notNull(),
  ...position(t),
}))
