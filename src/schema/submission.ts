import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row an anchored deliverable (`TaskSubmitted`), proofs among them. Key: keccak256(abi.encode(taskId, worker,
 * deliverable)), so that a reorg never moves an id to another deliverable. Written by TaskSubmitted and
 * SubmissionRejected.
 */
export const submission = onchainTable(
  'submission',
  (t) => ({
    id: t.hex().primaryKey(),
    /** `SUB-` and 8 or more Crockford base32 characters of the id; unique. */
    referenceCode: t.text().notNull(),
    taskId: t.hex().notNull(),
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
 * of these, of rejections, awards and ratings; what the contract's `entryOf` answers.
 */
export const taskEntry = onchainTable(
  'task_entry',
  (t) => ({
    id: t.text().primaryKey(),
    taskId: t.hex().notNull(),
    worker: t.hex().notNull(),
    submissionCount: t.integer().notNull(),
    activeSubmissionCount: t.integer().notNull(),
    rejected: t.boolean().notNull(),
    awarded: t.boolean().notNull(),
    rated: t.boolean().notNull(),
    pitched: t.boolean().notNull(),
    /** The worker's present bid, base units; null: none. */
    bid: t.bigint(),
    /** This worker's newest submission here: the head of the chain of `previousId`; null: none. */
    lastSubmissionId: t.hex(),
  }),
  (table) => ({ byTask: index().on(table.taskId), byWorker: index().on(table.worker) }),
)
