import type { Address } from 'viem'
import type { ClientContext } from '../context.ts'
import { inboxShape } from '../http/command-shapes.ts'
import { isFinal } from '../reads/actions.ts'
import { type EventFilters, type EventKind, findEndOfLog, onceInARow, pause, readEvents } from '../reads/events.ts'
import { listRows, nextOf, ReadError, type RowOf } from '../reads/pages.ts'
import { readJson } from '../reads/read-json.ts'
import { isActionName, type Offer, offeringTaskShape, readOffering } from './action.ts'
import type { Offers } from './offers.ts'

/**
 * The maximum number of open tasks that `followOpenTasks` reads when it starts, newest first. Log entries announce the
 * tasks that are created later.
 */
const MOST_TASKS = 1_000

/** The kinds of log entries after which a task may offer other actions to a worker who has not entered the task. */
const kinds: readonly EventKind[] = [
  'task.created',
  'task.updated',
  'task.expired',
  'task.cancelled',
  'task.completed',
  'claim.created',
  'claim.forfeited',
  'worker.selected',
  'auction.accepted',
  'revealed',
  'reverted',
]

interface OpenTaskOptions extends Pick<EventFilters, 'tags' | 'mode' | 'minReward'> {
  wallet: Address
  signal: AbortSignal
  onProblem?: (problem: string) => void
  offers: Pick<Offers, 'replace'>
}

/**
 * Keeps the open tasks' offers in `offers` up to date until the signal aborts. An open task offers a worker a claim,
 * bid, pitch or submission. Tasks that the wallet had entered before the call are left out.
 * @throws ReadError for a permanent error: a retry would fail with the same error
 */
export async function followOpenTasks(
  context: ClientContext,
  { wallet, signal, onProblem, offers, ...filters }: OpenTaskOptions,
): Promise<void> {
  const tellProblem = onceInARow(onProblem)
  const take = (task: RowOf<'/api/tasks'>) => offers.replace(task.id, listEntries(task, wallet))
  while (!signal.aborted) {
    try {
      const after = await findEndOfLog(context)
      const enteredIds = await listEntered(context, wallet)
      for await (const task of listOpenTasks(context, filters)) {
        if (signal.aborted) return
        if (!enteredIds.has(task.id)) take(task)
      }
      const place = after === null ? { fromBlock: 0 } : { after }
      for await (const { taskId } of readEvents(context, {
        ...filters,
        ...place,
        kinds,
        signal,
        onProblem: tellProblem,
      })) {
        if (taskId === null || enteredIds.has(taskId)) continue
        const task = await readOffering(context, taskId)
        if (task === null) offers.replace(taskId, [])
        else take(task)
      }
    } catch (error) {
      // Status 410: the log position expired, so the tasks are listed again.
      if (!(error instanceof ReadError) || (isFinal(error.status) && error.status !== 410)) throw error
      tellProblem(error.message)
      await pause(context.timing.maxPauseMs, signal)
    }
  }
}

async function* listOpenTasks(context: ClientContext, filters: Pick<EventFilters, 'tags' | 'mode' | 'minReward'>) {
  let count = 0
  for await (const task of listRows(context, '/api/tasks', { query: { status: 'open', limit: 100, ...filters } })) {
    if (offeringTaskShape.accepts(task)) yield task
    count += 1
    if (count === MOST_TASKS) return
  }
}

/**
 * Lists the actions by which any worker may enter the task, such as a claim or a bid. The list is empty for the task's
 * requester, evaluator and dispute resolver.
 */
function listEntries(task: RowOf<'/api/tasks'>, wallet: Address): Offer[] {
  const parties = [task.requester, task.evaluator, task.disputeResolver]
  if (parties.some((party) => party?.toLowerCase() === wallet)) return []
  return task.pendingActions.flatMap(({ action, role, eligibleAddress }) =>
    role === 'worker' && eligibleAddress === null && isActionName(action) && task.status === 'open'
      ? [{ taskId: task.id, name: action, role, worker: null }]
      : [],
  )
}

/**
 * Lists the ids of the running tasks that a wallet has entered as a worker. Stops at the first inbox page that contains
 * a finished task.
 * @throws ReadError
 */
async function listEntered(context: ClientContext, wallet: Address): Promise<Set<string>> {
  const enteredIds = new Set<string>()
  for (let place: Record<string, string> = {}; ; ) {
    const query = { address: wallet, section: 'asWorker', ...place }
    const answer = await readJson(context, '/api/agents/inbox', query, inboxShape)
    if (!answer.ok) throw new ReadError(answer.message, answer)
    const { asWorker } = answer.body as { asWorker: RowOf<'/api/tasks'>[] }
    for (const { id } of asWorker) enteredIds.add(id)
    const next = nextOf(answer.body, answer.headers)
    if (next === null || next.after === place.after || asWorker.some(({ status }) => isOver(status))) return enteredIds
    place = next
  }
}

function isOver(status: string): boolean {
  return ['completed', 'expired', 'cancelled'].includes(status)
}
