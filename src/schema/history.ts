import { index, onchainTable, primaryKey, sql } from 'ponder'
import { position } from './position.ts'

/**
 * Names of the market's events about a task. The column `code` of `_task_history` is the index of a name in this list.
 */
export const taskEventNames = [
  'BidSubmitted',
  'DeliveryObjected',
  'DisputeResolved',
  'EscrowReturned',
  'EvaluatorAssigned',
  'EvaluatorTimedOut',
  'HookCallFailed',
  'HooksAttached',
  'PayoutDeferred',
  'PitchSubmitted',
  'ProofSubmitted',
  'RequesterReputation',
  'StakeForfeited',
  'StakeReturned',
  'SubmissionRejected',
  'TaskCancelled',
  'TaskCompleted',
  'TaskCreated',
  'TaskExpired',
  'TaskRated',
  'TaskReopened',
  'TaskSubmitted',
  'TaskUpdated',
  'TaskWorkerSelected',
  'VerdictAppealed',
  'VerdictFinalized',
  'VerdictIssued',
] as const

const shownName = sql.raw(`((array[${taskEventNames.map((name) => `'${name}'`).join(', ')}])[code + 1])`)
const shownSubject = sql`('0x' || encode(subject_bytes, 'hex'))`
const movesMoney = sql`amount is not null`

/**
 * One row per event of a task, in compact form. Analysts read the view `task_event` (src/views) instead. Wide columns
 * come first to avoid padding.
 */
export const taskHistory = onchainTable(
  '_task_history',
  (t) => ({
    /** `createdAtMs` of the task. The value identifies the task, because no two tasks have the same value. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
    blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    ordinal: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    /** Name of the event, as an index in the list `taskEventNames`. */
    code: t.smallint().notNull(),
    /** Status of the task after the event, as an index in the list `taskStatuses`. */
    statusCode: t.smallint().notNull(),
    transactionBytes: t.bytes().notNull(),
    subjectBytes: t.bytes(),
    amount: t.bigint(),
    /**
     * Arguments of the event in packed form (protocol/rules/packed-args.ts). `numbers`: the numbers. `bytes`: the
     * addresses and hashes. `text`: the string.
     */
    numbers: t.text(),
    bytes: t.bytes(),
    text: t.text(),
  }),
  (table) => ({
    key: primaryKey({ columns: [table.taskCreatedAtMs, table.ordinal] }),
    byName: index('task_history_name_index').on(shownName, table.blockTimestamp),
    bySubject: index('task_history_subject_index').on(shownSubject),
    byMoney: index('task_history_money_index').on(shownName, table.blockNumber).where(movesMoney),
    subjectMoney: index('task_history_subject_money_index')
      .on(shownSubject, shownName, table.blockNumber)
      .where(movesMoney),
  }),
)

/**
 * One row per event of a task. Key: `<taskId>:<ordinal>`; the ordinal counts the task's events from 0. A reorg may
 * change the block, transaction and log index of a row, but never the ordinal.
 */
export const taskEventShape = onchainTable(
  'task_event',
  (t) => ({
    /** Key of the row: `<taskId>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** Id of the task that the event is about. */
    taskId: t.hex().notNull(),
    /** Index of the event in the task's history, from 0. */
    ordinal: t.integer().notNull(),
    /** The Solidity event name, such as TaskCreated. */
    name: t.text().notNull(),
    /**
     * Account that the event is about: a requester, worker, evaluator or resolver; the hook in HookCallFailed. Null if
     * the event names no account.
     */
    subject: t.hex(),
    /** Status of the task after the event. */
    statusAfter: t.text().notNull(),
    /**
     * Arguments of the event without the task id. Amounts and times are decimal strings. Two events can report the same
     * amount, so a sum over events can count it twice. A reward decrease is in TaskUpdated and in EscrowReturned. A
     * refund after a verdict is in VerdictFinalized and in the next TaskCancelled or EscrowReturned.
     */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    /**
     * Amount that the event moves into or out of the task's escrow or stake, USDC base units; null if the event moves
     * nothing. Into the market: TaskCreated, TaskUpdated (the increase), TaskWorkerSelected (the stake). Out of the
     * market: EscrowReturned, TaskCancelled, TaskExpired, StakeReturned, StakeForfeited, VerdictIssued (the fee).
     * Exclude PayoutDeferred from sums, because it repeats the amount of another event. Payments of awards are in
     * `award`.
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
