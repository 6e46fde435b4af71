import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row an anchored deliverable (`TaskSubmitted`), proofs among them. Key: keccak256(abi.encode(taskId, worker,
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
    /** Who submitted. */
    worker: t.hex().notNull(),
    /** The committed hash: keccak256 of the manifest when it came through the service. */
    deliverable: t.hex().notNull(),
    /** Position within the task, from 0. */
    submissionIndex: t.integer().notNull(),
    /** Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Unix seconds; null: the submission is active. */
    rejectedAt: t.int8({ mode: 'bigint' }),
    /** The same worker's submission before this one in the task; null: its first. A rejection walks this chain. */
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
 * One row a worker's part in a task: who pitched, bid or submitted. Key: `<taskId>:<worker>`. Written by the handlers
 * of these, of rejections, awards and ratings; what entryOf of the contract answers. The event that ends the task ends all
 * its entries, along the chain of `previousEntryId`.
 */
export const taskEntry = onchainTable(
  'task_entry',
  (t) => ({
    /** `<taskId>:<worker>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Who takes part. */
    worker: t.hex().notNull(),
    /** Submissions of this worker here, rejected ones too. */
    submissionCount: t.integer().notNull(),
    /** Those that are not rejected. */
    activeSubmissionCount: t.integer().notNull(),
    /** The submissions that this worker had made were rejected, at least once. */
    rejected: t.boolean().notNull(),
    /** This worker was awarded. */
    awarded: t.boolean().notNull(),
    /** This award was rated. */
    rated: t.boolean().notNull(),
    /** This worker pitched. */
    pitched: t.boolean().notNull(),
    /** The worker's present bid, USDC base units; null: none. */
    bid: t.bigint(),
    /** This worker's newest submission here: the head of the chain of `previousId`; null: none. */
    lastSubmissionId: t.hex(),
    /** `createdAtMs` of the task: a worker's tasks are listed in the order of their creation. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** The task has not ended. */
    running: t.boolean().notNull(),
    /**
     * The task is listed and the worker pitched or submitted. All other entries are for the worker alone to see; these
     * are as far as the task's submission visibility, which is off chain, admits.
     */
    listed: t.boolean().notNull(),
    /** The entry of the task that was created before this one; null: its first. */
    previousEntryId: t.text(),
  }),
  (table) => ({
    byTask: index().on(table.taskId),
    byWorker: index().on(table.worker),
    /** A worker's entries in tasks that run, and in those that ended; the newest task first. */
    workerRunning: index('task_entry_worker_running_index')
      .on(table.worker, table.listed, sql`(-task_created_at_ms)`)
      .where(sql`running`),
    workerEnded: index('task_entry_worker_ended_index')
      .on(table.worker, table.listed, sql`(-task_created_at_ms)`)
      .where(sql`not running`),
  }),
)
