import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { invalidRequest } from '../../../http/parse.ts'
import { queryIntegerOr } from '../../../http/query.ts'
import { defineRoute } from '../../define-route.ts'
import { taskDropIdSchema } from '../tasks.schemas.ts'
import { toTaskDrop } from './task-drops.mapper.ts'
import { findDropOrdinal, listTaskDrops as listRows } from './task-drops.queries.ts'
import { taskDropSchema } from './task-drops.schemas.ts'

/**
 * Lists task drops. A task drop is a group of tasks of one requester, which are shown together. See the interface
 * specification, "Tasks".
 *
 * Example: `GET /api/task-drops` answers `{"taskDrops": [{..}], "nextCursor": null, "hasMore": false}`.
 */
export const listTaskDrops = defineRoute({
  operationId: 'listTaskDrops',
  method: 'get',
  path: '/task-drops',
  tag: 'tasks',
  summary: 'List task drops',
  description: 'Newest first; drops that have a public task on chain.',
  query: z.object({
    limit: queryIntegerOr(20, { min: 1, max: 100 }),
    cursor: taskDropIdSchema.optional().meta({ description: '`nextCursor` of the page before.' }),
  }),
  responses: {
    200: {
      description: 'One page of drops.',
      schema: z.object({
        taskDrops: z.array(taskDropSchema),
        nextCursor: z.string().nullable(),
        hasMore: z.boolean(),
      }),
    },
  },
  handler: async (deps, { query: { limit, cursor } }) => {
    const rows = await listRows(deps.sql, { before: await placeOf(deps, cursor), limit: limit + 1 })
    const page = rows.slice(0, limit)
    const hasMore = rows.length > limit
    return { taskDrops: page.map(toTaskDrop), nextCursor: (hasMore && page.at(-1)?.id) || null, hasMore }
  },
})

/**
 * Returns the `ordinal` of a task drop: its number in the order of creation. A task drop is a named group of tasks.
 * `cursor` is the id of the last drop on the previous page. Returns undefined for the first page, which has no cursor.
 * @throws ServiceError 400 if there is no such drop
 */
async function placeOf({ sql }: Pick<Deps, 'sql'>, cursor: string | undefined): Promise<bigint | undefined> {
  if (cursor === undefined) return undefined
  const ordinal = await findDropOrdinal(sql, cursor)
  if (ordinal === null) throw invalidRequest([{ path: 'cursor', message: 'must be the nextCursor of the page before' }])
  return ordinal
}
