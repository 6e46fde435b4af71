import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per distinct pitch of a worker for a task (`PitchSubmitted`). Key: keccak256(abi.encode(taskId, worker,
 * pitchHash)). If the worker submits the same pitch again, only `anchorCount` changes. The selected worker is in
 * `task.worker`. The pitch's text is off chain.
 */
export const pitch = onchainTable(
  'pitch',
  (t) => ({
    /** Key of the row: keccak256(abi.encode(taskId, worker, pitchHash)). */
    id: t.hex().primaryKey(),
    /** Id of the task that the pitch is for. */
    taskId: t.hex().notNull(),
    /** Worker who pitched. */
    worker: t.hex().notNull(),
    /** Hash that commits to the text of the pitch. The text is off chain. */
    pitchHash: t.hex().notNull(),
    /**
     * Index of the pitch in the task, from 0. A repeated pitch keeps the first index. Indexes have gaps, because each
     * repetition uses up an index.
     */
    pitchIndex: t.integer().notNull(),
    /** Number of times that this worker submitted this pitch. */
    anchorCount: t.integer().notNull(),
    /** Time at which the worker first submitted this pitch, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.pitchIndex),
    byWorker: index().on(table.worker, table.submittedAt),
  }),
)
