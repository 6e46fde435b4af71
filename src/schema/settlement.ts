import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a settled award (`TaskCompleted`). Key: `<taskId>:<worker>`. Amounts are base units as paid, and never
 * change; rating and ratedAt are set by TaskRated.
 */
export const award = onchainTable(
  'award',
  (t) => ({
    id: t.text().primaryKey(),
    taskId: t.hex().notNull(),
    worker: t.hex().notNull(),
    /** `createdAtMs` of the task: a worker's tasks are listed in the order of their creation. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** 1 is the primary award. */
    rank: t.integer().notNull(),
    grossAmount: t.bigint().notNull(),
    workerPayment: t.bigint().notNull(),
    platformFee: t.bigint().notNull(),
    /** What it was awarded for; a verdict in a contest names the worker only: its latest submission then. */
    deliverable: t.hex().notNull(),
    selfAward: t.boolean().notNull(),
    /** Unix seconds. */
    settledAt: t.int8({ mode: 'bigint' }).notNull(),
    /** 0..100; null: not rated. */
    rating: t.integer(),
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
    id: t.hex().primaryKey(),
    taskId: t.hex().notNull(),
    worker: t.hex().notNull(),
    requester: t.hex().notNull(),
    /** 0..100. */
    rating: t.integer().notNull(),
    raterAgentId: t.bigint().notNull(),
    /** Null when the rating named no agent. */
    workerAgentId: t.bigint(),
    feedbackUri: t.text().notNull(),
    feedbackHash: t.hex().notNull(),
    ratedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({ byTask: index().on(table.taskId), byWorker: index().on(table.worker, table.ratedAt) }),
)

/** One row an account with a deferred payout. Key: the account. Written by PayoutDeferred and CreditWithdrawn. */
export const credit = onchainTable('credit', (t) => ({
  account: t.hex().primaryKey(),
  /** Base units it can withdraw now. */
  amount: t.bigint().notNull(),
  /** Base units ever deferred. */
  deferredTotal: t.bigint().notNull(),
  ...position(t),
}))
