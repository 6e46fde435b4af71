import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per claim of a task in claim mode (`TaskWorkerSelected` of kind Claim). A task has one claim in each round; a
 * forfeited claim reopens the task for the next round. Key: keccak256(abi.encode(taskId, worker, round)).
 */
export const claim = onchainTable(
  'claim',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, round)). */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who claimed the task. */
    worker: t.hex().notNull(),
    /** Round of the claim: the number of the task's claims that were forfeited before this one. */
    round: t.integer().notNull(),
    /** Stake that the worker deposited, USDC base units; zero if the task requires no stake. */
    stakeAmount: t.bigint().notNull(),
    /**
     * State of the claim. active: the worker has not delivered yet. submitted: the worker has delivered; this is the
     * last state of a claim without a stake. forfeited: the task expired before a delivery. returned: the worker has
     * delivered and got the stake back.
     */
    status: t.text().notNull(),
    /** Time of the claim, Unix seconds. */
    claimedAt: t.int8({ mode: 'bigint' }).notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.round),
    byWorker: index().on(table.worker, table.claimedAt),
  }),
)
