import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row an event of a task, in order: the timeline analysts read. Key: `<taskId>:<ordinal>`, ordinal from 0 within
 * the task (a reorg keeps it, unlike a transaction position).
 */
export const taskEvent = onchainTable(
  'task_event',
  (t) => ({
    /** `<taskId>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Position in the history of the task, from 0. */
    ordinal: t.integer().notNull(),
    /** The Solidity event name, such as TaskCreated. */
    name: t.text().notNull(),
    /**
     * The account that the event is about: requester, worker, evaluator, resolver, or hook of HookCallFailed. Null: it
     * names none.
     */
    subject: t.hex(),
    /** The task's status after the event. */
    statusAfter: t.text().notNull(),
    /**
     * The event's arguments but the task id; amounts and times as decimal strings. Amounts of one event repeat those of
     * another: the reward of TaskUpdated is the whole one after it, and a decrease is the amount of EscrowReturned too;
     * the refund of VerdictFinalized is that of the TaskCancelled or EscrowReturned that follows; the reward of
     * RequesterReputation is the task's.
     */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    /**
     * USDC base units that the event moves between an account and the escrow or stake of the task: into the market by
     * TaskCreated, TaskUpdated (the increase) and TaskWorkerSelected (the stake), out of it by EscrowReturned,
     * TaskCancelled, TaskExpired, StakeReturned, StakeForfeited and VerdictIssued (the fee). That of PayoutDeferred
     * repeats a payment of another event, which became a credit instead: leave it out of sums. Null: none. Awards are
     * rows of `award`.
     */
    amount: t.bigint(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId, table.ordinal),
    byName: index().on(table.name, table.blockTimestamp),
    bySubject: index().on(table.subject, table.blockTimestamp),
    byMoney: index().on(table.name, table.blockNumber).where(sql`amount is not null`),
    subjectMoney: index().on(table.subject, table.name, table.blockNumber).where(sql`amount is not null`),
    taskMoney: index().on(table.taskId, table.name, table.blockNumber).where(sql`amount is not null`),
  }),
)
