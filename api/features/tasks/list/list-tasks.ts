import { z } from 'zod'
import { auctionTypes, taskModes } from '../../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../../protocol/rules/task-status.ts'
import { actorTypes } from '../../../domain/actor-type.ts'
import { phases } from '../../../domain/phase.ts'
import { ServiceError } from '../../../errors/service-error.ts'
import { invalidRequest } from '../../../http/parse.ts'
import { queryInteger, queryIntegerOr } from '../../../http/query.ts'
import { address, baseUnits, wellFormedText } from '../../../http/request-schemas.ts'
import { defineRoute } from '../../define-route.ts'
import { taskDropIdSchema } from '../tasks.schemas.ts'
import { MAX_RANKED } from './find-page.ts'
import { tagsQuery } from './tag-query.ts'
import { MAX_CURSOR_LENGTH, parseTaskCursor, type TaskOrder, type TaskPosition, taskOrders } from './task-cursor.ts'
import type { TaskFilter } from './task-filter.ts'
import { readTaskPage } from './task-page-text.ts'
import { taskPageSchema } from './task-pages.ts'

const SECONDS_PER_HOUR = 3600n
/** Ten years: beyond it every task expires. */
const MAX_DEADLINE_HOURS = 87_600

const all = 'ALL'

/** Each sign negates the search after it, and PostgreSQL's parser of searches keeps at most 32 operators open. */
const TOO_MANY_MINUSES = /(?:-[\s!&|()<]*){31}/

const querySchema = z.object({
  limit: queryIntegerOr(20, { min: 1, max: 100 }),
  cursor: wellFormedText(1, MAX_CURSOR_LENGTH)
    .optional()
    .meta({ description: '`nextCursor` of the page before, with the same `sort` and filters.' }),
  status: z.enum([...taskStatuses, all]).default(all),
  phase: z
    .enum(phases)
    .optional()
    .meta({
      description:
        'Combines with `status`. The deadline rule of `status` stands before it: `awaiting_settlement` with status ' +
        '`open`, `claimed` or `worker_selected` finds nothing; ask for it with status `ALL`.',
    }),
  mode: z.enum([...taskModes, all]).default(all),
  auctionType: z.enum(auctionTypes).optional(),
  requesterActorType: z.enum(actorTypes).optional(),
  tags: tagsQuery.optional().meta({
    description:
      'Repeated or comma separated, in any case; a task must have all of them. A tag with commas of its own is found too.',
  }),
  minReward: baseUnits.optional(),
  maxReward: baseUnits.optional(),
  deadlineHours: queryInteger(1, MAX_DEADLINE_HOURS)
    .optional()
    .meta({ description: 'Only tasks that expire within so many hours from now.' }),
  requester: address.optional(),
  worker: address.optional().meta({ description: 'Assigned to this wallet, or awarded to it.' }),
  taskDropId: taskDropIdSchema.optional(),
  q: wellFormedText(1, 200)
    .refine(
      (q) => !TOO_MANY_MINUSES.test(q),
      'has more than 30 minus signs in a row, each of which excludes what follows',
    )
    .optional()
    .meta({
      description:
        'Full text over description and tags, or a reference code. URLs, paths, names of files and versions are found whole ' +
        'and by their words.',
    }),
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

/** Spec, "List tasks"; Interface, "Tasks". Unlisted and private tasks, and tasks without content, are left out. */
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
    const filter = toFilter(conditions, { order, now, after })
    return await readTaskPage(deps, filter, { order, limit, now, ...(order !== 'newest' && { after }) })
  },
})

type Query = z.output<typeof querySchema>

/**
 * The end of the page before.
 * @throws ServiceError 400
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

/** Only what leaves tasks out: a page of everything is found by a plan that is kept. */
function toFilter(
  conditions: Omit<Query, 'sort' | 'limit' | 'cursor'>,
  { order, now, after }: { order: TaskOrder; now: bigint; after: TaskPosition | undefined },
): TaskFilter {
  const { status, mode, deadlineHours, q, tags, ...same } = conditions
  const before = after === undefined ? undefined : findUpperBound(order, after)
  return {
    ...same,
    ...tags,
    ...(status !== all && { status }),
    ...(mode !== all && { mode }),
    ...(deadlineHours !== undefined && { expiresBy: now + BigInt(deadlineHours) * SECONDS_PER_HOUR }),
    ...(before !== undefined && { before }),
    ...(q !== undefined && { search: q }),
  }
}

/** The `createdAtMs` that every later task of the list is below. */
function findUpperBound(order: TaskOrder, { createdAtMs, newestRankedMs }: TaskPosition): bigint | undefined {
  if (order === 'newest') return createdAtMs
  return newestRankedMs === undefined ? undefined : newestRankedMs + 1n
}
