import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per submitted deliverable (`TaskSubmitted`), benchmark proofs included. Key: keccak256(abi.encode(taskId,
 * worker, deliverable)). The key contains the deliverable, so a reorg cannot give the same id to another deliverable.
 * SubmissionRejected sets `rejectedAt`.
 */
export const submission = onchainTable(
  'submission',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, deliverable)). */
    id: t.hex().primaryKey(),
    /** `SUB-` and 8 or more Crockford base32 characters of the id; unique. */
    referenceCode: t.text().notNull(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who submitted. */
    worker: t.hex().notNull(),
    /** Hash to which the worker committed. For a submission through the service it is keccak256 of the manifest. */
    deliverable: t.hex().notNull(),
    /** Index of the submission in the task, from 0. */
    submissionIndex: t.integer().notNull(),
    /** Time of the submission, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the rejection, Unix seconds; null if the submission is not rejected. */
    rejectedAt: t.int8({ mode: 'bigint' }),
    /**
     * Id of the worker's previous submission to the task; null if this is the worker's first. A rejection follows these
     * ids to reject all submissions of the worker.
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
 * submissions, rejections, awards and ratings update the row, which has the same values as the contract's function
 * entryOf. The rows of a task are linked by `previousEntryId`. The event that ends the task sets `running` to false in
 * all of them.
 */
export const taskEntry = onchainTable(
  'task_entry',
  (t) => ({
    /** `<taskId>:<worker>`. */
    id: t.text().primaryKey(),
    /** The task. */
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
     * Id of this worker's newest submission to the task, from which `submission.previousId` leads to the older ones;
     * null if the worker has not submitted.
     */
    lastSubmissionId: t.hex(),
    /** `createdAtMs` of the task. Lists of a worker's tasks are sorted by it. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** True if the task has not ended. */
    running: t.boolean().notNull(),
    /**
     * True if the task is listed and the worker pitched or submitted. If false, only the worker may see the entry. If
     * true, the task's submission visibility, which is stored off chain, decides how much others see of the entry.
     */
    listed: t.boolean().notNull(),
    /** Key of the entry that was created in the same task before this one; null if this is the task's first entry. */
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
