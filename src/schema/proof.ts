import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per anchored benchmark proof (`ProofSubmitted`). Key: keccak256(abi.encode(taskId, worker, proofHash)), which
 * is also the id of its submission: the market anchors every proof as a submission. That submission shows a rejection,
 * and `award` an award. The data is off chain, joined by (taskId, worker, proofHash).
 */
export const proof = onchainTable(
  'proof',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, proofHash)), which is also the id of its submission. */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who measured. */
    worker: t.hex().notNull(),
    /** Commitment to the data of the proof, which is off chain. */
    proofHash: t.hex().notNull(),
    /**
     * Type of the proof: url, screenshot, api_data, manual, custom, eval, tlsn, zk; `unknown` for the hash of another
     * name.
     */
    proofType: t.text().notNull(),
    /** Value that the worker claims to have measured. */
    metricValue: t.bigint().notNull(),
    /** Position among the task's proofs, from 0. */
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
