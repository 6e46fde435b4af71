import { z } from 'zod'
import { ServiceError } from '../../../errors/service-error.ts'
import { invalidRequest } from '../../../http/parse.ts'
import { queryIntegerOr } from '../../../http/query.ts'
import { wellFormedText } from '../../../http/request-schemas.ts'
import { defineRoute } from '../../define-route.ts'
import { filterSchemas } from '../../task-filters.ts'
import { MAX_RANKED } from './find-page.ts'
import { MAX_CURSOR_LENGTH, parseTaskCursor, type TaskOrder, type TaskPosition, taskOrders } from './task-cursor.ts'
import { readTaskPage, taskPageSchema, toPageText } from './task-page.ts'

const querySchema = z.object({
  limit: queryIntegerOr(20, { min: 1, max: 100 }),
  cursor: wellFormedText(1, MAX_CURSOR_LENGTH)
    .optional()
    .meta({ description: '`nextCursor` of the page before, with the same `sort` and filters.' }),
  ...filterSchemas,
  sort: z.enum(taskOrders).default('newest'),
})

const pageSchema = taskPageSchema.extend({
  nextCursor: z.string().max(MAX_CURSOR_LENGTH).nullable().meta({
    description: 'The time of creation of the last task with sort `newest`; with another sort an opaque text.',
  }),
  hasMore: z.boolean().meta({ description: 'Whether a task follows.' }),
  ranked: z.literal(MAX_RANKED).optional().meta({
    description: 'On the last page by `relevance`: so many matches were ranked, and older ones are left out.',
  }),
})

/**
 * Lists public tasks. Tasks without stored content are not listed. See the specification, "List tasks", and the
 * interface specification, "Tasks".
 */
export const listTasks = defineRoute({
  operationId: 'listTasks',
  method: 'get',
  path: '/tasks',
  tag: 'tasks',
  summary: 'List public tasks',
  description:
    'Newest first unless sorted otherwise. Pages by `cursor` under every sort; `relevance` ranks the 200 newest matches ' +
    'and pages through these: where there were as many, the last page has `ranked`. ' +
    'With status `open`, `claimed` or `worker_selected`, tasks whose deadline has passed are left out.',
  query: querySchema,
  caching: 'stated',
  responses: {
    200: {
      description: 'One page of tasks.',
      schema: pageSchema,
    },
  },
  handler: async (deps, { query }) => {
    if (query.sort === 'relevance' && query.q === undefined) {
      throw invalidRequest([{ path: 'q', message: 'is required with sort relevance' }])
    }
    const after = parsePosition(query)
    const { timestamp: now } = await deps.chain.head()
    const { sort: order, limit, cursor: _cursor, ...conditions } = query
    const before = after && findUpperBound(order, after)
    const filter = { ...conditions, ...(before !== undefined && { before }) }
    return toPageText(await readTaskPage(deps, filter, { order, limit, now, ...(order !== 'newest' && { after }) }))
  },
})

type Query = z.output<typeof querySchema>

/**
 * Returns the position of the last task on the previous page, from the cursor. Returns undefined for the first page.
 * @throws ServiceError 400 if the cursor is malformed or belongs to another sort
 */
function parsePosition({ cursor, sort }: Query): TaskPosition | undefined {
  if (cursor === undefined) return undefined
  const position = parseTaskCursor(cursor, sort)
  if (position === null)
    throw invalidRequest([{ path: 'cursor', message: 'must be the nextCursor of the page before' }])
  if (position !== 'other sort') return position
  const message = `is of another sort than ${sort}: page with the sort of the first page`
  throw new ServiceError(400, 'unclassified', `cursor: ${message}.`, {
    issues: [{ path: 'cursor', message }],
    detail: 'cursor_of_other_sort',
  })
}

/**
 * Returns an exclusive upper bound: the `createdAtMs` of every task on the requested page and on later pages is less
 * than this value. Returns undefined if the order of the list has no such bound.
 */
function findUpperBound(order: TaskOrder, { createdAtMs, newestRankedMs }: TaskPosition): bigint | undefined {
  if (order === 'newest') return createdAtMs
  return newestRankedMs === undefined ? undefined : newestRankedMs + 1n
}
