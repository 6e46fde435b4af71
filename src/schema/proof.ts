import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per benchmark proof (`ProofSubmitted`). The market also records every proof as a submission with the same id:
 * keccak256(abi.encode(taskId, worker, proofHash)). A rejection is in the row of `submission`, an award in `award`. The
 * proof's data is off chain; the service joins it by (taskId, worker, proofHash).
 */
export const proof = onchainTable(
  'proof',
  (t) => ({
    /** Key: keccak256(abi.encode(taskId, worker, proofHash)), which is also the id of the proof's submission. */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who submitted the proof. */
    worker: t.hex().notNull(),
    /** Hash that commits to the data of the proof. The data is off chain. */
    proofHash: t.hex().notNull(),
    /**
     * Type of the proof: url, screenshot, api_data, manual, custom, eval, tlsn or zk; `unknown` if the logged hash
     * belongs to no type of this version.
     */
    proofType: t.text().notNull(),
    /** Value that the worker claims to have measured. */
    metricValue: t.bigint().notNull(),
    /** Index of the proof among the task's proofs, from 0. */
    proofIndex: t.integer().notNull(),
    /** Time of the proof, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.proofIndex),
    byWorker: index().on(table.worker, table.submittedAt),
  }),
)
