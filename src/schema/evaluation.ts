import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per task that has or had an evaluator: the terms of the evaluation and its result. Key: the task id. An
 * evaluator who is assigned after a timeout replaces the earlier one in the row. `task` has the deadlines and the
 * evaluator that decides now.
 */
export const evaluation = onchainTable(
  'evaluation',
  (t) => ({
    /** The task. */
    taskId: t.hex().primaryKey(),
    /** Evaluator, who issues the verdict. */
    evaluator: t.hex().notNull(),
    /** Resolver, who settles appeals; null: no appeal is possible. */
    disputeResolver: t.hex(),
    /** The evaluator's fee, basis points of the payable amount. */
    feeBps: t.integer().notNull(),
    /** Time from the delivery (in contests from the expiry) to the last moment of a verdict, seconds. */
    evaluationWindow: t.int8({ mode: 'bigint' }).notNull(),
    /** Time from the verdict to its finality, seconds. */
    appealWindow: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the assignment, Unix seconds. */
    assignedAt: t.int8({ mode: 'bigint' }).notNull(),
    /** The evaluator's verdict: approve, reject or partial. A dispute does not change it. Null: no verdict yet. */
    verdict: t.text(),
    /** Score that the evaluator reported, 0..1000, informative; null before the verdict. */
    score: t.integer(),
    /** Confidence that the evaluator reported, 0..1000, informative; null before the verdict. */
    confidence: t.integer(),
    /** Hash of the evidence; the zero hash: the evaluator named none; null before the verdict. */
    evidenceHash: t.hex(),
    /** Fee paid to the evaluator, USDC base units; null before the verdict. */
    fee: t.bigint(),
    /** Unix seconds of the verdict; null: none. */
    verdictAt: t.int8({ mode: 'bigint' }),
    /** The worker who appealed; null: no appeal. */
    appellant: t.hex(),
    /** Unix seconds of the appeal; null: none. */
    appealedAt: t.int8({ mode: 'bigint' }),
    /** The resolver's decision, which replaces the verdict: approve or partial; null: none. */
    resolution: t.text(),
    /** Unix seconds of the resolver's decision; null: none. */
    resolvedAt: t.int8({ mode: 'bigint' }),
    /** Time at which the verdict took effect unchanged, Unix seconds; null: not yet, or the resolver decided. */
    finalizedAt: t.int8({ mode: 'bigint' }),
    /** Time at which the task left an evaluator that had not answered in time, Unix seconds; null: no timeout. */
    timedOutAt: t.int8({ mode: 'bigint' }),
    ...position(t),
  }),
  (table) => ({
    byEvaluator: index().on(table.evaluator, table.assignedAt),
    byResolver: index().on(table.disputeResolver, table.assignedAt),
  }),
)

/**
 * One row per award of a verdict or of a dispute's resolution, as decided. `award` has the payments. Key:
 * `<taskId>:<decidedBy>:<worker>`.
 */
export const verdictAward = onchainTable(
  'verdict_award',
  (t) => ({
    /** `<taskId>:<decidedBy>:<worker>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Account that decided: evaluator or resolver. */
    decidedBy: t.text().notNull(),
    /** Worker to be awarded. */
    worker: t.hex().notNull(),
    /** Gross amount of the award, USDC base units. */
    amount: t.bigint().notNull(),
    /** Rank, 1..255, unique in its decision; 1 is the primary award. */
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
