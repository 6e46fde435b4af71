import type { Address } from 'viem'
import { taskTitleOf } from '../../../domain/task-title.ts'
import { compareQueued } from '../../../domain/worklists/order-queue.ts'
import { nextQueueChangeAfter } from '../../../domain/worklists/work-items.ts'
import type { ReadActionQueue } from '../../../events/action-watches.ts'
import { toSnapshot } from '../../../read-model/task-snapshot.queries.ts'
import type { WriteDeps } from '../../../writes/write-deps.ts'
import { toItemOut, toWaitingOut } from './action-queue.mapper.ts'
import { type CandidateRow, listCandidates, listDescriptions, MAX_SHOWN } from './action-queue.queries.ts'
import { listQueuedWork } from './queued-work.ts'
import type { ActionQueue } from './worklists.schemas.ts'

/** The largest total that is reported. For a larger total, the reported total is this number. */
const MAX_TOTAL = 1000

/** The parts of the process that are needed to read a wallet's action queue. */
type QueueDeps = Pick<WriteDeps, 'sql' | 'chain' | 'config'>

/**
 * An action queue, and the rows of the tasks from which it was made. `now` is the time of the latest block when the
 * queue was read, in Unix seconds.
 */
interface ReadQueue {
  queue: ActionQueue
  rows: readonly CandidateRow[]
  now: bigint
}

/**
 * Reads the action queue of a wallet. If `isOwn` is true, the queue has everything that the wallet may see. Otherwise
 * the queue has only what is public.
 */
export async function readActionQueue(
  { sql, chain, config }: QueueDeps,
  { wallet, isOwn }: { wallet: Address; isOwn: boolean },
): Promise<ReadQueue> {
  const [{ rows, olderToRate }, { timestamp: now }] = await Promise.all([
    listCandidates(sql, wallet, isOwn),
    chain.head(),
  ])
  const work = rows.flatMap((row) => listQueuedWork(row, { wallet, isOwn, now }))
  const items = work
    .flatMap(({ row, items }) => items.map((item) => ({ ...item, row, createdAtMs: row.createdAtMs })))
    .sort(compareQueued)
  const waitingWork = work
    .flatMap(({ row, waiting }) => waiting.map((entry) => ({ ...entry, row, createdAtMs: row.createdAtMs })))
    .sort(compareQueued)
  const shownPart = { items: items.slice(0, MAX_SHOWN), waiting: waitingWork.slice(0, MAX_SHOWN) }
  const descriptions = await listDescriptions(
    sql,
    [...shownPart.items, ...shownPart.waiting].map(({ row }) => row.id),
  )
  const titles = new Map([...descriptions].map(([id, description]) => [id, taskTitleOf(description)]))
  const view = { now, serviceName: config.SERVICE_NAME, titles }
  const queue = {
    items: shownPart.items.map((item) => toItemOut(item.row, item, view)),
    total: Math.min(items.length + olderToRate, MAX_TOTAL),
    urgentTotal: Math.min(items.filter(({ priority }) => priority === 'urgent').length, MAX_TOTAL),
    waiting: shownPart.waiting.map((entry) => toWaitingOut(entry.row, entry, view)),
  }
  return { queue, rows, now }
}

/**
 * Creates the function that reads action queues for event streams. The function returns the queue, the ids of the tasks
 * from which the queue was made, and the next block time at which the queue changes without an event.
 */
export function createQueueReader(deps: QueueDeps): ReadActionQueue {
  return async (wallet, isOwn) => {
    const { queue, rows, now } = await readActionQueue(deps, { wallet, isOwn })
    let changesAt: bigint | null = null
    for (const row of rows) {
      const change = nextQueueChangeAfter(toSnapshot(row), now)
      if (change !== null && (changesAt === null || change < changesAt)) changesAt = change
    }
    return { queue, taskIds: new Set(rows.map(({ id }) => id)), changesAt }
  }
}
