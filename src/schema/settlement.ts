import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a settled award (`TaskCompleted`). Key: `<taskId>:<worker>`. Amounts are base units as paid, and never
 * change; `rating` and `ratedAt` are set by TaskRated.
 */
export const award = onchainTable(
  'award',
  (t) => ({
    /** `<taskId>:<worker>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Who was awarded. */
    worker: t.hex().notNull(),
    /** `createdAtMs` of the task: a worker's tasks are listed in the order of their creation. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** What the award takes from the escrow, USDC base units: `workerPayment` and `platformFee`. */
    grossAmount: t.bigint().notNull(),
    /** Paid to the worker, USDC base units. */
    workerPayment: t.bigint().notNull(),
    /** Paid to the platform, USDC base units. */
    platformFee: t.bigint().notNull(),
    /** What it was awarded for; a verdict in a contest names the worker only: its latest submission then. */
    deliverable: t.hex().notNull(),
    /** The requester awarded itself: such an award counts in no record of the worker. */
    selfAward: t.boolean().notNull(),
    /** Unix seconds. */
    settledAt: t.int8({ mode: 'bigint' }).notNull(),
    /** 0..100; null: not rated. */
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
 * One row a rating (`TaskRated`). Key: keccak256(abi.encode(taskId, worker)), served as the feedback id. The feedback
 * text is off chain, joined by (taskId, worker, feedbackHash).
 */
export const rating = onchainTable(
  'rating',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker)): the feedback id. */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Who was rated. */
    worker: t.hex().notNull(),
    /** Who rated. */
    requester: t.hex().notNull(),
    /** 0..100. */
    rating: t.integer().notNull(),
    /** ERC-8004 agent id that the requester named as its own; informative, 0 where it named none. */
    raterAgentId: t.bigint().notNull(),
    /** ERC-8004 agent id of the worker; null: the rating named none. */
    workerAgentId: t.bigint(),
    /** Where the feedback is, as the requester named it; NUL and lone surrogates are U+FFFD. */
    feedbackUri: t.text().notNull(),
    /** Commitment to the text of the feedback, which is off chain. */
    feedbackHash: t.hex().notNull(),
    /** Unix seconds. */
    ratedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({ byTask: index().on(table.taskId), byWorker: index().on(table.worker, table.ratedAt) }),
)

/** One row an account with a deferred payout. Key: the account. Written by PayoutDeferred and CreditWithdrawn. */
export const credit = onchainTable('credit', (t) => ({
  /** Who is owed. */
  account: t.hex().primaryKey(),
  /** What it can withdraw now, USDC base units. */
  amount: t.bigint().notNull(),
  /** Deferred ever, USDC base units. */
  deferredTotal: t.bigint().notNull(),
  ...position(t),
}))
