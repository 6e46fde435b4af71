import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per submitted deliverable (`TaskSubmitted`). Benchmark proofs are included. Key: keccak256(abi.encode(taskId,
 * worker, deliverable)). `SubmissionRejected` sets `rejectedAt`.
 */
export const submission = onchainTable(
  'submission',
  (t) => ({
    /** Key of the row: keccak256(abi.encode(taskId, worker, deliverable)). */
    id: t.hex().primaryKey(),
    /** `SUB-` and 8 or more Crockford base32 characters of the id; unique. */
    referenceCode: t.text().notNull(),
    /** Id of the task that the submission is for. */
    taskId: t.hex().notNull(),
    /** Worker who submitted. */
    worker: t.hex().notNull(),
    /**
     * Hash of the deliverable that the worker submitted. For a submission through the service it is the keccak256 hash
     * of the manifest.
     */
    deliverable: t.hex().notNull(),
    /** Index of the submission in the task, from 0. */
    submissionIndex: t.integer().notNull(),
    /** Time of the submission, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the rejection, Unix seconds; null if the submission is not rejected. */
    rejectedAt: t.int8({ mode: 'bigint' }),
    /**
     * Id of the worker's previous submission to the task; null if this submission is the worker's first. The handler of
     * a rejection follows these ids to mark all submissions of the worker.
     */
    previousId: t.hex(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.submissionIndex),
    byWorker: index().on(table.worker, table.submittedAt),
    byTaskWorker: index().on(table.taskId, table.worker),
  }),
)

/**
 * One row per worker and task in which the worker pitched, bid or submitted. Key: `<taskId>:<worker>`. Pitches, bids,
 * submissions, rejections, awards and ratings update the row. The event that ends the task sets `running` to false.
 */
export const taskEntry = onchainTable(
  'task_entry',
  (t) => ({
    /** Key of the row: `<taskId>:<worker>`. */
    id: t.text().primaryKey(),
    /** Id of the task in which the worker pitched, bid or submitted. */
    taskId: t.hex().notNull(),
    /** Worker who pitched, bid or submitted. */
    worker: t.hex().notNull(),
    /** Number of this worker's submissions to the task, rejected ones included. */
    submissionCount: t.integer().notNull(),
    /** Number of this worker's submissions to the task that are not rejected. */
    activeSubmissionCount: t.integer().notNull(),
    /** True if the requester rejected this worker's submissions at least once. */
    rejected: t.boolean().notNull(),
    /** True if this worker was awarded. */
    awarded: t.boolean().notNull(),
    /** True if this worker's award was rated. */
    rated: t.boolean().notNull(),
    /** True if this worker pitched. */
    pitched: t.boolean().notNull(),
    /** Amount of the worker's current bid, USDC base units; null if the worker has not bid. */
    bid: t.bigint(),
    /**
     * Id of the worker's newest submission to the task; null if the worker has not submitted. `submission.previousId`
     * leads from each submission to the one before.
     */
    lastSubmissionId: t.hex(),
    /** `createdAtMs` of the task. Lists of a worker's tasks are sorted by it. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** True if the task has not ended. */
    running: t.boolean().notNull(),
    /**
     * True if the task is listed and the worker pitched or submitted. If false, only the worker may see the entry. If
     * true, the task's off-chain submission visibility decides what other accounts see.
     */
    listed: t.boolean().notNull(),
    /** Key of the entry that was created before this one in the same task; null if this entry is the task's first. */
    previousEntryId: t.text(),
  }),
  (table) => ({
    byTask: index().on(table.taskId),
    byWorker: index().on(table.worker),
    /** Serves the queries for a worker's entries in running tasks and in ended tasks, newest task first. */
    workerRunning: index('task_entry_worker_running_index')
      .on(table.worker, table.listed, sql`(-task_created_at_ms)`)
      .where(sql`running`),
    workerEnded: index('task_entry_worker_ended_index')
      .on(table.worker, table.listed, sql`(-task_created_at_ms)`)
      .where(sql`not running`),
  }),
)
