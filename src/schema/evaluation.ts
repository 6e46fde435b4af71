import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a task that has or had an evaluator: its terms, and what became of it. Key: the task id. An evaluator who is
 * assigned after a timeout takes the row over. Deadlines, and who decides now, are in the task.
 */
export const evaluation = onchainTable(
  'evaluation',
  (t) => ({
    taskId: t.hex().primaryKey(),
    evaluator: t.hex().notNull(),
    /** Settles appeals; null: no appeal is possible. */
    disputeResolver: t.hex(),
    /** The evaluator's part of the payable amount, basis points. */
    feeBps: t.integer().notNull(),
    /** Seconds from delivery (contests: from expiry) to the verdict. */
    evaluationWindow: t.int8({ mode: 'bigint' }).notNull(),
    /** Seconds from the verdict to its finality. */
    appealWindow: t.int8({ mode: 'bigint' }).notNull(),
    /** Unix seconds. */
    assignedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** approve, reject, partial: the evaluator's, which a dispute does not change; null before. */
    verdict: t.text(),
    /** 0..1000, informative; null before the verdict. */
    score: t.integer(),
    confidence: t.integer(),
    /** Zero hash: no evidence was named. */
    evidenceHash: t.hex(),
    /** What the evaluator was paid, base units; null before the verdict. */
    fee: t.bigint(),
    verdictAt: t.int8({ mode: 'bigint' }),
    /** Who appealed, and when; null: no appeal. */
    appellant: t.hex(),
    appealedAt: t.int8({ mode: 'bigint' }),
    /** approve, partial: the resolver's decision, which takes the verdict's place; null: none. */
    resolution: t.text(),
    resolvedAt: t.int8({ mode: 'bigint' }),
    /** When the verdict took effect as it was; null: not yet, or the resolver decided. */
    finalizedAt: t.int8({ mode: 'bigint' }),
    /** When the requester took the task back from an evaluator that did not answer in time; null: never. */
    timedOutAt: t.int8({ mode: 'bigint' }),
    ...position(t),
  }),
  (table) => ({
    byEvaluator: index().on(table.evaluator, table.assignedAt),
    byResolver: index().on(table.disputeResolver, table.assignedAt),
  }),
)

/**
 * One row an award of a verdict or of a dispute's resolution, as decided: what was paid in the end is in `award`. Key:
 * `<taskId>:<decidedBy>:<worker>`.
 */
export const verdictAward = onchainTable(
  'verdict_award',
  (t) => ({
    id: t.text().primaryKey(),
    taskId: t.hex().notNull(),
    /** evaluator or resolver. */
    decidedBy: t.text().notNull(),
    worker: t.hex().notNull(),
    /** Gross, base units. */
    amount: t.bigint().notNull(),
    /** 1..255, unique in its decision; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Position in the decision, from 0. */
    awardIndex: t.integer().notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.decidedBy, table.rank),
    byWorker: index().on(table.worker, table.taskId),
  }),
)
