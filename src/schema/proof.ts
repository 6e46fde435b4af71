import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row an anchored benchmark proof (`ProofSubmitted`). Key: keccak256(abi.encode(taskId, worker, proofHash)), which
 * is the id of its submission too: the market anchors every proof as one. Whether it stands or was awarded is told by
 * that submission. The data is off chain, joined by (taskId, worker, proofHash).
 */
export const proof = onchainTable(
  'proof',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, proofHash)): the id of its submission too. */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Who measured. */
    worker: t.hex().notNull(),
    /** Commitment to the data of the proof, which is off chain. */
    proofHash: t.hex().notNull(),
    /** url, screenshot, api_data, manual, custom, eval, tlsn, zk; `unknown` for a hash of another name. */
    proofType: t.text().notNull(),
    /** What the worker claims to have measured. */
    metricValue: t.bigint().notNull(),
    /** Position among the task's proofs, from 0. */
    proofIndex: t.integer().notNull(),
    /** Unix seconds. */
    submittedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.proofIndex),
    byWorker: index().on(table.worker, table.submittedAt),
  }),
)
