import { index, onchainTable, primaryKey, sql } from 'ponder'
import { position } from './position.ts'

/** Events of tasks. A row of the history stores the position of its event's name here. */
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
 * One row per event of a task, as it is stored: the fields of the view `task_event` (src/views) in few bytes. A table
 * whose name begins with `_` has no view. Wide columns are first, which avoids padding.
 */
export const taskHistory = onchainTable(
  '_task_history',
  (t) => ({
    /** `createdAtMs` of the task, which identifies it: no other task has it. */
    taskCreatedAtMs: t.int8({ mode: 'bigint' }).notNull(),
    blockNumber: t.int8({ mode: 'bigint' }).notNull(),
    blockTimestamp: t.int8({ mode: 'bigint' }).notNull(),
    ordinal: t.integer().notNull(),
    transactionIndex: t.integer().notNull(),
    logIndex: t.integer().notNull(),
    /** Position in `taskEventNames`. */
    code: t.smallint().notNull(),
    /** Position in `taskStatuses`. */
    statusCode: t.smallint().notNull(),
    transactionBytes: t.bytes().notNull(),
    subjectBytes: t.bytes(),
    amount: t.bigint(),
    /** The arguments, packed (protocol/rules/packed-args.ts). */
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
 * One row per event of a task, in order: the timeline of the task. Key: `<taskId>:<ordinal>`, ordinal from 0 within the
 * task. A reorg keeps the ordinal; it may move the place in the chain.
 */
export const taskEventShape = onchainTable(
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
     * Account that the event is about: requester, worker, evaluator, resolver, or the hook of HookCallFailed. Null: it
     * names none.
     */
    subject: t.hex(),
    /** Status of the task after the event. */
    statusAfter: t.text().notNull(),
    /**
     * Arguments of the event without the task id; amounts and times as decimal strings. Some events repeat an amount.
     * The reward of TaskUpdated is the whole reward after it, and a decrease is also the amount of EscrowReturned. The
     * refund of VerdictFinalized is that of the TaskCancelled or EscrowReturned that follows. The reward of
     * RequesterReputation is the task's.
     */
    args: t.json().$type<Record<string, unknown>>().notNull(),
    /**
     * Amount that the event moves between an account and the escrow or stake of the task, USDC base units. Into the
     * market: TaskCreated, TaskUpdated (the increase), TaskWorkerSelected (the stake). Out of it: EscrowReturned,
     * TaskCancelled, TaskExpired, StakeReturned, StakeForfeited, VerdictIssued (the fee). PayoutDeferred repeats a
     * payment of another event that became a credit: leave it out of sums. Null: no movement. Awards are rows of
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
