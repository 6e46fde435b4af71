import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per task that has or had an evaluator: the terms of the evaluation and the verdict. Key: the task id. The
 * terms of a new evaluator replace the terms of a removed evaluator. The current evaluator and the deadlines are in
 * `task`.
 */
export const evaluation = onchainTable(
  'evaluation',
  (t) => ({
    /** Id of the task that is evaluated. */
    taskId: t.hex().primaryKey(),
    /** Account of the evaluator, who issues the verdict. */
    evaluator: t.hex().notNull(),
    /** Account of the resolver, who settles appeals; null if no appeal is possible. */
    disputeResolver: t.hex(),
    /** The evaluator's fee, basis points of the payable amount. */
    feeBps: t.integer().notNull(),
    /**
     * The evaluator's time for the verdict, in seconds. The time starts with the delivery; in a contest, with the
     * task's expiry.
     */
    evaluationWindow: t.int8({ mode: 'bigint' }).notNull(),
    /**
     * Time after the verdict in which the verdict can be appealed, seconds. Afterwards the verdict can be finalized.
     */
    appealWindow: t.int8({ mode: 'bigint' }).notNull(),
    /** Time of the evaluator's assignment, Unix seconds. */
    assignedAt: t.int8({ mode: 'bigint' }).notNull(),
    /**
     * The evaluator's verdict: approve, reject or partial; null before the verdict. A later dispute does not change it.
     */
    verdict: t.text(),
    /** Score that the evaluator reported, 0..1000; null before the verdict. It has no effect on payments. */
    score: t.integer(),
    /** Confidence that the evaluator reported, 0..1000; null before the verdict. It has no effect on payments. */
    confidence: t.integer(),
    /**
     * Hash of the evidence for the verdict; the zero hash if the evaluator named no evidence; null before the verdict.
     */
    evidenceHash: t.hex(),
    /** Fee paid to the evaluator, USDC base units; null before the verdict. */
    fee: t.bigint(),
    /** Time of the verdict, Unix seconds; null before the verdict. */
    verdictAt: t.int8({ mode: 'bigint' }),
    /** Worker who appealed the verdict; null if there is no appeal. */
    appellant: t.hex(),
    /** Time of the appeal, Unix seconds; null if there is no appeal. */
    appealedAt: t.int8({ mode: 'bigint' }),
    /**
     * The resolver's decision, approve or partial, which replaces the verdict; null if the resolver has not decided.
     */
    resolution: t.text(),
    /** Time of the resolver's decision, Unix seconds; null if the resolver has not decided. */
    resolvedAt: t.int8({ mode: 'bigint' }),
    /**
     * Time at which the evaluator's verdict took effect, Unix seconds. Null if the verdict has not taken effect, or if
     * the resolver decided instead.
     */
    finalizedAt: t.int8({ mode: 'bigint' }),
    /**
     * Time at which the requester removed the evaluator after a missed deadline, Unix seconds; null if no evaluator was
     * removed.
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
 * One row per award in a verdict or in a dispute's resolution. Key: `<taskId>:<decidedBy>:<worker>`. The payments are
 * in `award`.
 */
export const verdictAward = onchainTable(
  'verdict_award',
  (t) => ({
    /** Key of the row: `<taskId>:<decidedBy>:<worker>`. */
    id: t.text().primaryKey(),
    /** Id of the task that the decision is about. */
    taskId: t.hex().notNull(),
    /** Role of the account that decided: evaluator or resolver. */
    decidedBy: t.text().notNull(),
    /** Worker to whom the verdict or the resolution gives the award. */
    worker: t.hex().notNull(),
    /** Gross amount of the award, USDC base units. */
    amount: t.bigint().notNull(),
    /** Rank of the award, 1..255, unique in its decision. Rank 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Index of the award in the decision's list of awards, from 0. */
    awardIndex: t.integer().notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.decidedBy, table.rank),
    byWorker: index().on(table.worker, table.taskId),
  }),
)
