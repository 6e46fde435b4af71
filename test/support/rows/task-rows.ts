import { randomUUID } from 'node:crypto'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import type { Database } from '../../../api/db/client.ts'
import { listReferenceCodes } from '../../../protocol/rules/reference-code.ts'
import { isTerminal, parseTaskStatus } from '../../../protocol/rules/task-status.ts'
import type { SubmissionVisibility, TaskVisibility } from '../../../protocol/visibilities.ts'
import type { readerTables as tables } from '../../../src/views/reader-tables.ts'
import { aHash, anIntent, aPosition, insertRow, madeCount, START } from './insert-row.ts'

/** A `task` row, as the schema has it: a new column is one line of `aTask`, or it does not compile. */
export type TaskColumns = typeof tables.task.$inferSelect

/** What the service stores of a task. Null: the task was created by a direct chain call. */
export interface TaskTexts {
  description: string
  tags: string[]
  taskVisibility: TaskVisibility
  submissionVisibility: SubmissionVisibility
  metricDescription: string | null
  metricTarget: string | null
}

/** Who may open a private task: by the stored hash of a password, and by invitation. */
export interface TaskAccess {
  passwordHash: string | null
  viewers: Address[]
}

/** A bounty of 5 USDC that expires in a day, created one millisecond after the one before. */
function aTask(columns: Partial<TaskColumns> & { requester: Address }): TaskColumns {
  const { id = aHash(), contentHash = aHash(), reward = 5_000_000n, status = 'open', hookSet = null } = columns
  const { createdAtMs = START * 1000n + BigInt(madeCount()) } = columns
  const [referenceCode = ''] = listReferenceCodes('task', id)
  return {
    id,
    referenceCode,
    mode: 'bounty',
    status,
    reward,
    escrow: reward,
    contentHash,
    createdContentHash: contentHash,
    tagHashes: [],
    nonce: 0n,
    listed: true,
    createdAt: createdAtMs / 1000n,
    createdAtMs,
    expiryTime: START + 86_400n,
    platformFeeBps: 750,
    stakeBps: 0,
    pitchDeadline: null,
    bidDeadline: null,
    auctionType: null,
    clockPrice: null,
    worker: null,
    workerAssignedAt: null,
    primaryWorker: null,
    price: null,
    stake: 0n,
    deliverable: null,
    objected: false,
    lowestBid: null,
    lowestBidder: null,
    evaluator: null,
    disputeResolver: null,
    evaluatorDeadline: null,
    appealDeadline: null,
    resolutionDeadline: null,
    hookSet,
    hookDataHash: hookSet === null ? null : keccak256('0x'),
    pitchCount: 0,
    bidCount: 0,
    bidderCount: 0,
    proofCount: 0,
    submissionCount: 0,
    activeSubmissionCount: 0,
    submitterCount: 0,
    awardCount: 0,
    unratedAwards: 0,
    selfAward: null,
    claimRound: 0,
    endedAt: isTerminal(parseTaskStatus(status)) ? START : null,
    lastEntryId: null,
    eventCount: 1,
    ...aPosition(),
    ...columns,
  }
}

/** Tasks, their texts, and who may open them. */
export function taskRows(sql: Database) {
  return {
    /** A task with its texts; `texts: null` for one without. */
    async task(
      columns: Partial<TaskColumns> & { requester: Address },
      texts: Partial<TaskTexts> | null = {},
      access: Partial<TaskAccess> = {},
    ): Promise<TaskColumns> {
      const row = aTask({ listed: (texts?.taskVisibility ?? 'public') === 'public', ...columns })
      await insertRow(sql, 'task', row)
      await insertRow(sql, 'referenceCode', { code: row.referenceCode, kind: 'task', targetId: row.id })
      if (texts !== null) await storeTexts(sql, row, texts)
      if (texts?.taskVisibility === 'private') await storeAccess(sql, row, access)
      return row
    },

    /** The texts of tags, as the content of public tasks leaves them. */
    async tags(...texts: string[]) {
      const rows = texts.map((text) => ({ text, hash: keccak256(toHex(text)) }))
      await sql`insert into service.tag_texts ${sql(rows)} on conflict (text) do update set hash = excluded.hash`
    },

    /** A drop without tasks. */
    async drop(owner: Address, columns: { id?: string; name?: string; description?: string | null } = {}) {
      const drop = { id: randomUUID() as string, name: 'Summer', description: null, ...columns }
      const intentId = await anIntent(sql, 'tasks.create')
      const createdAt = new Date(Number(START) * 1000)
      await sql`insert into service.task_drops ${sql({ ...drop, owner, intentId, createdAt })}`
      return drop.id
    },

    /** The place of a task, on chain or not, in a drop. */
    async dropMember(
      dropId: string,
      task: Pick<TaskColumns, 'requester' | 'createdContentHash'>,
      taskVisibility: TaskTexts['taskVisibility'] = 'public',
    ): Promise<void> {
      const { requester, createdContentHash } = task
      const intentId = await anIntent(sql, 'tasks.create')
      await sql`insert into service.task_drop_members
        ${sql({ dropId, requester, createdContentHash, intentId, taskVisibility })}`
    },

    /** An evaluator of the task, with a fee of a tenth and without a verdict. */
    async evaluation(taskId: Hex, evaluator: Address, columns: Record<string, unknown> = {}): Promise<void> {
      await insertRow(sql, 'evaluation', {
        taskId,
        evaluator,
        disputeResolver: null,
        feeBps: 1000,
        evaluationWindow: 7200n,
        appealWindow: 3600n,
        assignedAt: START,
        verdict: null,
        score: null,
        confidence: null,
        evidenceHash: null,
        fee: null,
        verdictAt: null,
        appellant: null,
        appealedAt: null,
        resolution: null,
        resolvedAt: null,
        finalizedAt: null,
        timedOutAt: null,
        ...aPosition(),
        ...columns,
      })
      await sql`update task set evaluator = ${columns.timedOutAt === undefined ? evaluator : null} where id = ${taskId}`
    },
  }
}

async function storeAccess(
  sql: Database,
  task: TaskColumns,
  { passwordHash = null, viewers = [] }: Partial<TaskAccess>,
) {
  const { requester, contentHash } = task
  const intentId = await anIntent(sql, 'tasks.create')
  await sql`insert into service.task_access ${sql({ requester, contentHash, intentId, passwordHash })}`
  const rows = viewers.map((viewer) => ({ requester, contentHash, viewer, addedBy: requester }))
  if (rows.length > 0) await sql`insert into service.task_viewers ${sql(rows)}`
}

async function storeTexts(sql: Database, task: TaskColumns, texts: Partial<TaskTexts>): Promise<void> {
  await sql`insert into service.task_content ${sql({
    requester: task.requester,
    contentHash: task.contentHash,
    intentId: await anIntent(sql, 'tasks.create'),
    document: '{}',
    description: 'Write a haiku about escrow',
    tags: [],
    taskVisibility: 'public',
    submissionVisibility: 'public',
    metricDescription: null,
    metricTarget: null,
    ...texts,
  })}`
}
