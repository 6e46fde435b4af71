import type { Hex } from 'viem'
import type { Difference, TasksRound } from '../read-model/books.queries.ts'
import { claimAudit, releaseAudit, storeAudit } from './audits.queries.ts'
import { inOneSnapshot } from './indexed-block.queries.ts'
import {
  type BooksDeps,
  CONFIRM_MS,
  type Compared,
  confirm,
  findComparedBlock,
  foundBefore,
  LONGEST_PAUSE_MS,
  logNew,
  POLL_MS,
  RETRY_MS,
  unlessUnavailable,
} from './run-round.ts'
import { type AuditedTask, findTaskPage, listAuditedTasks } from './task-page.queries.ts'
import { differingFields, listTaskCalls, toTaskViews } from './task-views.ts'

/** The pause between two pages of tasks, in milliseconds. */
const PAGE_MS = 1_000
/** The shortest time between the starts of two rotations through all tasks, in milliseconds. */
const ROTATION_MS = 60_000
/** The cursor before the first task. Each rotation through all tasks starts at this cursor. */
const FROM_THE_FIRST = '-1'

/**
 * Compares one page of tasks with the contract, field by field. Each call takes the page after the last compared page,
 * so repeated calls reach all tasks. If no page is due, or if another process is comparing a page, the function does
 * nothing.
 * @returns the pause until the next check, in milliseconds
 */
export async function auditTasks(deps: BooksDeps, now = Date.now): Promise<number> {
  const audit = await claimAudit(deps.sql, 'tasks')
  if (audit === null) return POLL_MS
  const { claim, state: before } = audit
  const state = await unlessUnavailable(() => comparePage(deps, before, now()))
  if (state === null) {
    await releaseAudit(deps.sql, 'tasks', { claim, pauseMs: RETRY_MS })
    return RETRY_MS
  }
  logNew(deps, state.differences, before)
  const pauseMs = pauseAfter(state, now())
  await storeAudit(deps.sql, 'tasks', { claim, state, pauseMs })
  return Math.min(pauseMs, LONGEST_PAUSE_MS)
}

function pauseAfter({ cursor, startedAt, suspects }: TasksRound, now: number): number {
  const pauseMs = cursor === null ? Math.max(PAGE_MS, startedAt + ROTATION_MS - now) : PAGE_MS
  return suspects.length > 0 ? CONFIRM_MS : pauseMs
}

async function comparePage(deps: BooksDeps, before: TasksRound | null, now: number): Promise<TasksRound | null> {
  const again = foundBefore(before, 'tasks')
  // A round that only confirms the last findings does not start the next rotation early.
  const isWaiting = before !== null && before.cursor === null && now < before.startedAt + ROTATION_MS
  const isNew = !isWaiting && (before === null || before.cursor === null)
  const after = BigInt(isNew ? FROM_THE_FIRST : (before?.cursor ?? FROM_THE_FIRST))
  const snapshot = await inOneSnapshot(deps.sql, async (tx) => {
    const page = isWaiting ? { ids: again as Hex[], cursor: null } : await findTaskPage(tx, { after, again })
    return { page, tasks: await listAuditedTasks(tx, page.ids) }
  })
  const block = await findComparedBlock(deps, snapshot?.block ?? null)
  if (snapshot === null || block === null) return null
  const { page, tasks } = snapshot.rows
  const comparison = await compareTasks(deps, { blockHash: block.hash, ids: page.ids, tasks })
  const startedAt = isNew ? now : (before?.startedAt ?? now)
  const isOver = !isWaiting && page.cursor === null
  return {
    block: String(block.number),
    timestamp: String(block.timestamp),
    ...confirm(comparison, before),
    unread: { tasks: comparison.unread.length + (isNew ? 0 : (before?.unread.tasks ?? 0)) },
    cursor: page.cursor === null ? null : String(page.cursor),
    startedAt,
    rotationSeconds: isOver ? (now - startedAt) / 1000 : (before?.rotationSeconds ?? null),
  }
}

async function compareTasks(
  { chain, deployment }: BooksDeps,
  { blockHash, ids, tasks }: { blockHash: Hex; ids: readonly Hex[]; tasks: readonly AuditedTask[] },
): Promise<Compared> {
  if (ids.length === 0) return { differences: [], unread: [] }
  const answers = await chain.readContractsAt(blockHash, listTaskCalls(deployment.market, ids))
  const results = answers.map((answer) => (answer.status === 'success' ? answer.result : null))
  const views = toTaskViews(results, ids.length)
  const differences: Difference[] = []
  const unreadFigures: Compared['unread'] = []
  for (const [index, id] of ids.entries()) {
    const view = views[index] ?? null
    const row = tasks.find((task) => task.id === id)
    if (view === null) unreadFigures.push({ sum: 'tasks', of: id })
    // It differed before and has no row any more: a reorg removed it, or its row was lost.
    else if (row === undefined) {
      if (view.getTask.status !== 0) differences.push({ sum: 'tasks', of: id, amount: '1', fields: ['id'] })
    } else {
      const fields = differingFields(row, view)
      if (fields.length > 0) differences.push({ sum: 'tasks', of: id, amount: String(fields.length), fields })
    }
  }
  return { differences, unread: unreadFigures }
}
