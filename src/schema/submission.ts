import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per anchored deliverable (`TaskSubmitted`), proofs included. Key: keccak256(abi.encode(taskId, worker,
 * deliverable)), so that a reorg never moves an id to another deliverable. Written by TaskSubmitted and
 * SubmissionRejected.
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
    /** Committed hash; keccak256 of the manifest for a submission through the service. */
    deliverable: t.hex().notNull(),
    /** Position within the task, from 0. */
    submissionIndex: t.integer().notNull(),
    /** Time of the submission, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the rejection, Unix seconds; null: the submission is active. */
    rejectedAt: t.int8({ mode: 'bigint' }),
    /** Previous submission of the same worker in the task; null: this is its first. A rejection follows these ids. */
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
 * One row per worker that pitched, bid or submitted in a task. Key: `<taskId>:<worker>`. Written by the handlers of
 * these events, of rejections, awards and ratings. The row has the values of the contract's entryOf. The event that
 * ends the task ends all its entries, which `previousEntryId` links.
 */
export const taskEntry = onchainTable(
  'task_entry',
  (t) => ({
    /** `<taskId>:<worker>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who takes part. */
    worker: t.hex().notNull(),
    /** Submissions of this worker to the task, rejected ones included. */
    submissionCount: t.integer().notNull(),
    /** Submissions of this worker to the task that are not rejected. */
    activeSubmissionCount: t.integer().notNull(),
    /** True if the requester rejected this worker's submissions at least once. */
    rejected: t.boolean().notNull(),
    /** True if this worker was awarded. */
    awarded: t.boolean().notNull(),
    /** True if this worker's award was rated. */
    rated: t.boolean().notNull(),
    /** True if this worker pitched. */
    pitched: t.boolean().notNull(),
    /** The worker's current bid, USDC base units; null: none. */
    bid: t.bigint(),
    /** This worker's newest submission to the task, from which `previousId` leads to the older ones; null: none. */
    lastSubmissionId: t.hex(),
    /** `createdAtMs` of the task. Lists of a worker's tasks use it as their order. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** True if the task has not ended. */
    running: t.boolean().notNull(),
    /**
     * True if the task is listed and the worker pitched or submitted. Only the worker may see other entries. The task's
     * submission visibility, which is off chain, decides how much others see of a listed entry.
     */
    listed: t.boolean().notNull(),
    /** Entry of the task that was created before this one; null: this is its first. */
    previousEntryId: t.text(),
  }),
  (table) => ({
    byTask: index().on(table.taskId),
    byWorker: index().on(table.worker),
    /** A worker's entries in running tasks, and in ended tasks; the newest task first. */
    workerRunning: index('task_entry_worker_running_index')
      .on(table.worker, table.listed, sql`(-task_created_at_ms)`)
      .where(sql`running`),
    workerEnded: index('task_entry_worker_ended_index')
      .on(table.worker, table.listed, sql`(-task_created_at_ms)`)
      .where(sql`not running`),
  }),
)
