import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row per claim of a task in claim mode (`TaskWorkerSelected` of kind Claim). Key: keccak256(abi.encode(taskId,
 * worker, round)). A task has at most one claim in each round. A forfeited claim can start the next round.
 */
export const claim = onchainTable(
  'claim',
  (t) => ({
    /** Key of the row: keccak256(abi.encode(taskId, worker, round)). */
    id: t.hex().primaryKey(),
    /** Id of the task that was claimed. */
    taskId: t.hex().notNull(),
    /** Worker who claimed the task. */
    worker: t.hex().notNull(),
    /** Round of the claim: the number of earlier claims of the task that were forfeited. */
    round: t.integer().notNull(),
    /** Stake that the worker deposited, USDC base units; zero if the task requires no stake. */
    stakeAmount: t.bigint().notNull(),
    /**
     * State of the claim. `active`: the worker has not delivered. `submitted`: the worker has delivered. `returned`:
     * the worker has delivered and got the stake back. `forfeited`: the task expired without a delivery. A claim
     * without a stake remains `submitted`.
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
