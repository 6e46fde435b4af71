import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a task that has or had an evaluator: its terms, and what became of it. Key: the task id. An evaluator who is
 * assigned after a timeout takes the row over. Deadlines, and who decides now, are in the task.
 */
export const evaluation = onchainTable(
  'evaluation',
  (t) => ({
    /** The task. */
    taskId: t.hex().primaryKey(),
    /** Who issues the verdict. */
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
    /** 0..1000, informative; null before the verdict. */
    confidence: t.integer(),
    /** Hash of the evidence; zero hash: none was named; null before the verdict. */
    evidenceHash: t.hex(),
    /** What the evaluator was paid, USDC base units; null before the verdict. */
    fee: t.bigint(),
    /** Unix seconds of the verdict; null: none. */
    verdictAt: t.int8({ mode: 'bigint' }),
    /** The worker who appealed; null: no appeal. */
    appellant: t.hex(),
    /** Unix seconds of the appeal; null: none. */
    appealedAt: t.int8({ mode: 'bigint' }),
    /** approve, partial: the resolver's decision, which takes the verdict's place; null: none. */
    resolution: t.text(),
    /** Unix seconds of the resolver's decision; null: none. */
    resolvedAt: t.int8({ mode: 'bigint' }),
    /** Unix seconds in which the verdict took effect as it was; null: not yet, or the resolver decided. */
    finalizedAt: t.int8({ mode: 'bigint' }),
    /**
     * Unix seconds in which the task was taken back from an evaluator that did not answer in time; null: it was not.
     */
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
    /** `<taskId>:<decidedBy>:<worker>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** evaluator or resolver. */
    decidedBy: t.text().notNull(),
    /** Who is to be awarded. */
    worker: t.hex().notNull(),
    /** Gross, USDC base units. */
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
