import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per distinct pitch of a worker for a task (`PitchSubmitted`). Key: keccak256(abi.encode(taskId, worker,
 * pitchHash)). A worker may pitch several times; the same pitch again only raises `anchorCount`. Whether a pitch was
 * selected follows from `task.worker`. The pitch's text is off chain; the service joins it by (taskId, worker,
 * pitchHash).
 */
export const pitch = onchainTable(
  'pitch',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, pitchHash)). */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who pitched. */
    worker: t.hex().notNull(),
    /** Hash that commits to the text of the pitch. The text is off chain. */
    pitchHash: t.hex().notNull(),
    /**
     * Index of the pitch in the task, from 0. A repeated pitch keeps its first index, but uses up a further index, so
     * indexes may be missing.
     */
    pitchIndex: t.integer().notNull(),
    /** Number of times that this worker submitted this pitch. */
    anchorCount: t.integer().notNull(),
    /** Time at which the pitch was submitted first, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.pitchIndex),
    byWorker: index().on(table.worker, table.submittedAt),
  }),
)
