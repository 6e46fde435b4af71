import type { Address } from 'viem'
import { z } from 'zod'
import type { TaskSnapshot } from '../../../domain/task-snapshot.ts'
import { canViewTask, isInScope, type RowScope, scopeOf } from '../../../domain/visibility.ts'
import { compareQueued } from '../../../domain/worklists/order-queue.ts'
import { listWaiting } from '../../../domain/worklists/waiting.ts'
import type { WalletPart } from '../../../domain/worklists/wallet-part.ts'
import { listWorkItems } from '../../../domain/worklists/work-items.ts'
import { address } from '../../../http/request-schemas.ts'
import { callerOf } from '../../../identity/caller.ts'
import { toSnapshot } from '../../../read-model/task-snapshot.queries.ts'
import { defineRoute } from '../../define-route.ts'
import { toAccessFacts } from './access-facts.ts'
import { toItemOut, toWaitingOut } from './action-queue.mapper.ts'
import { type CandidateRow, listCandidates } from './action-queue.queries.ts'
import { actionQueueSchema } from './worklists.schemas.ts'

/** Items in one answer, and entries of `waiting`. */
const MAX_ROWS = 200
/** Where totals stop counting. */
const MAX_TOTAL = 1000

/** Spec, "Agents and identity"; Interface, "Agents, inbox, action queue". */
export const getActionQueue = defineRoute({
  operationId: 'getActionQueue',
  method: 'get',
  path: '/agents/action-queue',
  tag: 'agents',
  summary: 'List what an address can do now',
  description:
    'One item a task, role and intent, made by the rules that list `pendingActions` and admit the writes. Looks through ' +
    'the newest 1000 running tasks of each role and the newest 1000 completed ones with an unrated worker. Urgent items ' +
    'first, then by `dueAt`, then the newest; at most 200, and at most 200 of `waiting`. With the read-identity headers of ' +
    'the address everything; without, what concerns public tasks, but for bids, and for submissions that the task ' +
    'shows to no other caller now. Updates, cancellations and entries into open markets are never in it.',
  query: z.object({ address }),
  readsCaller: true,
  responses: { 200: { description: 'The queue.', schema: actionQueueSchema } },
  handler: async (deps, { query }, context) => {
    const isOwn = (await callerOf(context, deps)) === query.address
    const [rows, { timestamp: now }] = await Promise.all([
      listCandidates(deps.sql, query.address, isOwn),
      deps.chain.head(),
    ])
    const work = rows.flatMap((row) => workOf(row, { wallet: query.address, isOwn, now }))
    const items = work
      .flatMap(({ row, items }) => items.map((item) => ({ ...item, row, createdAtMs: row.createdAtMs })))
      .sort(compareQueued)
    const waiting = work
      .flatMap(({ row, waiting }) => waiting.map((entry) => ({ ...entry, row, createdAtMs: row.createdAtMs })))
      .sort(compareQueued)
    const view = { now, serviceName: deps.config.SERVICE_NAME }
    return {
      items: items.slice(0, MAX_ROWS).map((item) => toItemOut(item.row, item, view)),
      total: Math.min(items.length, MAX_TOTAL),
      urgentTotal: Math.min(items.filter(({ priority }) => priority === 'urgent').length, MAX_TOTAL),
      waiting: waiting.slice(0, MAX_ROWS).map((entry) => toWaitingOut(entry.row, entry, view)),
    }
  },
})

/** What a wallet can do and waits for in a task, as far as the caller may know; nothing of a task not shown to it. */
function workOf(row: CandidateRow, { wallet, isOwn, now }: { wallet: Address; isOwn: boolean; now: bigint }) {
  const facts = toAccessFacts(row)
  if (isOwn ? !canViewTask(facts, wallet) : facts.taskVisibility !== 'public') return []
  const scope = scopeOf('submissions', facts, { address: isOwn ? wallet : null, holdsGrant: false })
  const task = withoutHiddenWorkers(toSnapshot(row), scope)
  const part = partOf(row, { wallet, isOwn, isEntryShown: scope !== null && isInScope(scope, wallet) })
  const items = listWorkItems(task, part, now)
  return [{ row, items, waiting: listWaiting(task, part, { now, items }) }]
}

/** Who bids is for the bidders alone to know; who submitted, as far as the submissions are shown. */
function partOf(
  row: CandidateRow,
  { wallet, isOwn, isEntryShown }: { wallet: Address; isOwn: boolean; isEntryShown: boolean },
): WalletPart {
  return {
    address: wallet,
    activeSubmissionCount: isEntryShown ? row.ownActiveSubmissionCount : 0,
    isVerdictAwarded: isEntryShown && row.verdictAwarded.includes(wallet),
    isLowestBidder: isOwn && row.lowestBidder === wallet,
  }
}

/** The commands of actions name the only worker with a submission: not to a caller who is not shown it. */
function withoutHiddenWorkers(task: TaskSnapshot, scope: RowScope | null): TaskSnapshot {
  const { soleActiveWorker } = task
  if (soleActiveWorker === null || (scope !== null && isInScope(scope, soleActiveWorker))) return task
  return { ...task, soleActiveWorker: null }
}
