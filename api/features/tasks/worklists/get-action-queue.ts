import { z } from 'zod'
import { address } from '../../../http/request-schemas.ts'
import { callerOf } from '../../../identity/caller.ts'
import { defineRoute } from '../../define-route.ts'
import { readActionQueue } from './read-action-queue.ts'
import { actionQueueSchema } from './worklists.schemas.ts'

/**
 * Returns the actions that an address can take now, as a queue. See the specification, "Agents and identity", and the
 * interface specification, "Agents, inbox, action queue".
 *
 * Example: `GET /api/agents/action-queue?address=0x14dC..` answers `{"items": [{..}, ..], "total": 2, "urgentTotal": 1,
 * "waiting": [{..}, ..]}`.
 */
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
  isMadeOfRows: () => true,
  responses: { 200: { description: 'The queue.', schema: actionQueueSchema } },
  handler: async (deps, { query }, context) => {
    const isOwn = (await callerOf(context, deps)) === query.address
    return (await readActionQueue(deps, { wallet: query.address, isOwn })).queue
  },
})
