import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row an anchored pitch (`PitchSubmitted`). Key: keccak256(abi.encode(taskId, worker, pitchHash)). A worker may
 * pitch more than once; the same pitch again is counted, and its first row stays. Whether it was chosen follows from
 * the task's worker. The text is off chain, joined by (taskId, worker, pitchHash).
 */
export const pitch = onchainTable(
  'pitch',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, pitchHash)). */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Who pitched. */
    worker: t.hex().notNull(),
    /** Commitment to the text of the pitch, which is off chain. */
    pitchHash: t.hex().notNull(),
    /** Position within the task, from 0; a repeated pitch keeps its first, so numbers may be missing. */
    pitchIndex: t.integer().notNull(),
    /** How often this worker anchored this very pitch. */
    anchorCount: t.integer().notNull(),
    /** Unix seconds of the first time. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.pitchIndex),
    byWorker: index().on(table.worker, table.submittedAt),
  }),
)
