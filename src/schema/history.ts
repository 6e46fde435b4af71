import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row an event of a task, in order: the timeline analysts read. Key: `<taskId>:<ordinal>`, ordinal from 0 within
 * the task (a reorg keeps it, unlike a transaction position).
 */
export const taskEvent = onchainTable(
  'task_event',
  (t) => ({
    id: t.text().primaryKey(),
    taskId: t.hex().notNull(),
    ordinal: t.integer().notNull(),
    /** The Solidity event name, such as TaskCreated. */
    name: t.text().notNull(),
    /** Who the event is about (requester, worker, evaluator); null when it names no account. */
    subject: t.hex(),
    /** The task's status after the event. */
    statusAfter: t.text().notNull(),
    /** The event's arguments but the task id; amounts and times as decimal strings. */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    /**
     * Base units that the event moves between an account and the task's escrow or stake, or books as a credit; of
     * TaskUpdated what it adds. Null: none. Awards are rows of `award`.
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
