import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per benchmark proof (`ProofSubmitted`). Key: keccak256(abi.encode(taskId, worker, proofHash)). Every proof
 * also has a row in `submission` with the same key. The proof's data is off chain.
 */
export const proof = onchainTable(
  'proof',
  (t) => ({
    /** Key: keccak256(abi.encode(taskId, worker, proofHash)), which is also the id of the proof's submission. */
    id: t.hex().primaryKey(),
    /** Id of the task that the proof is for. */
    taskId: t.hex().notNull(),
    /** Worker who submitted the proof. */
    worker: t.hex().notNull(),
    /** Hash that commits to the data of the proof. The data is off chain. */
    proofHash: t.hex().notNull(),
    /**
     * Type of the proof: url, screenshot, api_data, manual, custom, eval, tlsn or zk; `unknown` if the logged hash
     * belongs to none of these types.
     */
    proofType: t.text().notNull(),
    /** Value that the worker claims to have measured. */
    metricValue: t.bigint().notNull(),
    /** Index of the proof among the task's proofs, from 0. */
    proofIndex: t.integer().notNull(),
    /** Time at which the proof was submitted, Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.proofIndex),
    byWorker: index().on(table.worker, table.submittedAt),
  }),
)
