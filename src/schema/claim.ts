import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row a claim of a claim-mode task (`TaskWorkerSelected` of kind Claim): one in each round, as a forfeit opens the
 * task for the next. Key: keccak256(abi.encode(taskId, worker, round)).
 */
export const claim = onchainTable(
  'claim',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, round)). */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Who claimed it. */
    worker: t.hex().notNull(),
    /** How many claims of the task had been forfeited before. */
    round: t.integer().notNull(),
    /** Base units the worker put in; zero: the task asks for none. */
    stakeAmount: t.bigint().notNull(),
    /**
     * active: to be delivered. submitted: delivered, which is where a claim without a stake ends. forfeited: expired
     * undelivered. returned: the stake of the delivery went back.
     */
    status: t.text().notNull(),
    /** Unix seconds. */
    claimedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.round),
    byWorker: index().on(table.worker, table.claimedAt),
  }),
)
