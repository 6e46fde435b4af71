import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per paid award (`TaskCompleted`). Key: `<taskId>:<worker>`. The amounts are USDC base units and never change.
 * A rating (`TaskRated`) sets `rating` and `ratedAt`.
 */
export const award = onchainTable(
  'award',
  (t) => ({
    /** Key of the row: `<taskId>:<worker>`. */
    id: t.text().primaryKey(),
    /** Id of the task in which the worker was awarded. */
    taskId: t.hex().notNull(),
    /** Worker who was awarded. */
    worker: t.hex().notNull(),
    /** `createdAtMs` of the task. Lists of a worker's tasks are sorted by it. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Amount that the award takes from the escrow, USDC base units: `workerPayment` plus `platformFee`. */
    grossAmount: t.bigint().notNull(),
    /** Amount paid to the worker, USDC base units. */
    workerPayment: t.bigint().notNull(),
    /** Platform fee of the award, USDC base units. */
    platformFee: t.bigint().notNull(),
    /**
     * Hash of the awarded deliverable. If a verdict decided a contest, it is the hash of the worker's latest
     * submission.
     */
    deliverable: t.hex().notNull(),
    /** True if the requester awarded itself. Such an award does not change the worker's counters in `agent`. */
    selfAward: t.boolean().notNull(),
    /** Time of the award, Unix seconds. */
    settledAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Rating of the award, 0..100; null if the award is not rated. */
    rating: t.integer(),
    /** Time of the rating, Unix seconds; null if the award is not rated. */
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
 * One row per rating (`TaskRated`). Key: keccak256(abi.encode(taskId, worker)). The API returns the key as the feedback
 * id. The text of the rating is off chain.
 */
export const rating = onchainTable(
  'rating',
  (t) => ({
    /** Key and feedback id: keccak256(abi.encode(taskId, worker)). */
    id: t.hex().primaryKey(),
    /** Id of the task in which the worker was rated. */
    taskId: t.hex().notNull(),
    /** Worker who was rated. */
    worker: t.hex().notNull(),
    /** Requester who rated. */
    requester: t.hex().notNull(),
    /** Rating, 0..100. */
    rating: t.integer().notNull(),
    /** ERC-8004 agent id that the requester stated for itself, not verified; 0 if the requester stated no id. */
    raterAgentId: t.bigint().notNull(),
    /** ERC-8004 agent id of the worker; null if the rating names no agent. */
    workerAgentId: t.bigint(),
    /** URI of the feedback file that the requester named. NUL and lone surrogates are replaced by U+FFFD. */
    feedbackUri: t.text().notNull(),
    /** Hash that commits to the feedback text. The text is off chain. */
    feedbackHash: t.hex().notNull(),
    /** Time of the rating, Unix seconds. */
    ratedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({ byTask: index().on(table.taskId), byWorker: index().on(table.worker, table.ratedAt) }),
)

/**
 * One row per account with a credit: a payout that the market could not transfer (`PayoutDeferred`). `CreditWithdrawn`
 * reduces `amount`. Key: the account.
 */
export const credit = onchainTable('credit', (t) => ({
  /** Account to which the market owes payouts that could not be delivered. */
  account: t.hex().primaryKey(),
  /** Amount that the account can withdraw now, USDC base units. */
  amount: t.bigint().notNull(),
  /** Sum of the account's payouts that could not be delivered and became a credit, USDC base units. */
  deferredTotal: t.bigint().notNull(),
  ...position(t),
}))
