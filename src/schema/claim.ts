import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per claim of a claim-mode task (`TaskWorkerSelected` of kind Claim): one in each round, because a forfeit
 * opens the task for the next round. Key: keccak256(abi.encode(taskId, worker, round)).
 */
export const claim = onchainTable(
  'claim',
  (t) => ({
    /** keccak256(abi.encode(taskId, worker, round)). */
    id: t.hex().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Worker who claimed it. */
    worker: t.hex().notNull(),
    /** Round of the claim: the number of claims of the task forfeited before it. */
    round: t.integer().notNull(),
    /** Stake that the worker deposited, USDC base units; zero: the task requires none. */
    stakeAmount: t.bigint().notNull(),
    /**
     * State of the claim. active: not delivered yet. submitted: delivered, the last state of a claim without a stake.
     * forfeited: expired undelivered. returned: delivered, and the stake went back.
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
