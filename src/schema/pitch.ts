import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per anchored pitch (`PitchSubmitted`). Key: keccak256(abi.encode(taskId, worker, pitchHash)). A worker may
 * pitch more than once. The same pitch again raises `anchorCount` of its first row. The task's worker shows which pitch
 * was selected. The text is off chain, joined by (taskId, worker, pitchHash).
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
    /** Commitment to the text of the pitch, which is off chain. */
    pitchHash: t.hex().notNull(),
    /** Position within the task, from 0. A repeated pitch keeps its first position, so numbers may be missing. */
    pitchIndex: t.integer().notNull(),
    /** Number of times that this worker anchored this pitch. */
    anchorCount: t.integer().notNull(),
    /** Time of the first anchor, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.pitchIndex),
    byWorker: index().on(table.worker, table.submittedAt),
  }),
)
