import { z } from 'zod'
import { taskTitleOf } from '../../../domain/task-title.ts'
import { compareQueued } from '../../../domain/worklists/order-queue.ts'
import { address } from '../../../http/request-schemas.ts'
import { callerOf } from '../../../identity/caller.ts'
import { defineRoute } from '../../define-route.ts'
import { toItemOut, toWaitingOut } from './action-queue.mapper.ts'
import { listCandidates, listDescriptions, MAX_SHOWN } from './action-queue.queries.ts'
import { listQueuedWork } from './queued-work.ts'
import { actionQueueSchema } from './worklists.schemas.ts'

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
  audience: 'caller',
  responses: { 200: { description: 'The queue.', schema: actionQueueSchema } },
  handler: async (deps, { query }, context) => {
    const isOwn = (await callerOf(context, deps)) === query.address
    const [{ rows, olderToRate }, { timestamp: now }] = await Promise.all([
      listCandidates(deps.sql, query.address, isOwn),
      deps.chain.head(),
    ])
    const work = rows.flatMap((row) => listQueuedWork(row, { wallet: query.address, isOwn, now }))
    const items = work
      .flatMap(({ row, items }) => items.map((item) => ({ ...item, row, createdAtMs: row.createdAtMs })))
      .sort(compareQueued)
    const waiting = work
      .flatMap(({ row, waiting }) => waiting.map((entry) => ({ ...entry, row, createdAtMs: row.createdAtMs })))
      .sort(compareQueued)
    const shown = { items: items.slice(0, MAX_SHOWN), waiting: waiting.slice(0, MAX_SHOWN) }
    const descriptions = await listDescriptions(
      deps.sql,
      [...shown.items, ...shown.waiting].map(({ row }) => row.id),
    )
    const titles = new Map([...descriptions].map(([id, description]) => [id, taskTitleOf(description)]))
    const view = { now, serviceName: deps.config.SERVICE_NAME, titles }
    return {
      items: shown.items.map((item) => toItemOut(item.row, item, view)),
      total: Math.min(items.length + olderToRate, MAX_TOTAL),
      urgentTotal: Math.min(items.filter(({ priority }) => priority === 'urgent').length, MAX_TOTAL),
      waiting: shown.waiting.map((entry) => toWaitingOut(entry.row, entry, view)),
    }
  },
})
