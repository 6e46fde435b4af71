import { z } from 'zod'
import { ServiceError } from '../../../errors/service-error.ts'
import { queryIntegerOr } from '../../../http/query.ts'
import { callerOf } from '../../../identity/caller.ts'
import { defineRoute } from '../../define-route.ts'
import { readTaskPage, taskPageSchema, toPageText } from '../list/task-page.ts'
import { taskDropIdSchema } from '../tasks.schemas.ts'
import { toTaskDrop } from './task-drops.mapper.ts'
import { findTaskDrop } from './task-drops.queries.ts'
import { taskDropSchema } from './task-drops.schemas.ts'

/**
 * The schema of the cursor of a page: the time when the previous page's last task was created. The parsed value is in
 * milliseconds.
 */
const taskCursor = z.iso
  .datetime({ offset: true, error: 'must be the nextCursor of the page before' })
  .transform((text) => BigInt(Date.parse(text)))

/**
 * Returns a task drop and its public tasks. See the interface specification, "Tasks".
 *
 * Example: `GET /api/task-drops/91bc..` answers `{"id": "91bc..", "ownerAddress": "0x976E..", "name": "Launch week",
 * "description": "Small things tha..", ..}`.
 */
export const getTaskDrop = defineRoute({
  operationId: 'getTaskDrop',
  method: 'get',
  path: '/task-drops/{taskDropId}',
  tag: 'tasks',
  summary: 'Get a task drop and its public tasks',
  description:
    'Tasks newest first; unlisted and private ones are left out. A drop is there once a task of it is on chain; one of ' +
    'private tasks alone is there for its owner.',
  params: z.object({ taskDropId: taskDropIdSchema }),
  query: z.object({ limit: queryIntegerOr(20, { min: 1, max: 100 }), cursor: taskCursor.optional() }),
  audience: 'caller',
  responses: {
    200: { description: 'The drop, with one page of its tasks.', schema: taskDropSchema.extend(taskPageSchema.shape) },
    404: { description: 'No such drop, or none the caller may see.' },
  },
  handler: async (deps, { params, query: { limit, cursor } }, context) => {
    const [drop, { timestamp: now }] = await Promise.all([
      callerOf(context, deps).then((caller) => findTaskDrop(deps.sql, params.taskDropId, caller)),
      deps.chain.head(),
    ])
    if (drop === null)
      throw new ServiceError(404, 'unclassified', 'There is no task drop with this id that you may see.', {
        detail: 'task_drop_not_found',
      })
    const filter = { taskDropId: drop.id, ...(cursor !== undefined && { before: cursor }) }
    return toPageText(await readTaskPage(deps, filter, { order: 'newest', limit, now }), toTaskDrop(drop))
  },
})
