import { z } from 'zod'
import { auctionTypes, taskModes } from '../../../src/rules/selectors.ts'
import { taskStatuses } from '../../../src/rules/task-status.ts'
import { actorTypes } from '../../domain/actor-type.ts'
import { phases } from '../../domain/phase.ts'
import { invalidRequest } from '../../http/parse.ts'
import { queryInteger, queryIntegerOr, queryList } from '../../http/query.ts'
import { address, baseUnits, wellFormedText } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { taskDropIdSchema } from './drops/task-drops.schemas.ts'
import { taskOrders } from './find-page.ts'
import type { TaskFilter } from './task-filter.ts'
import { readTaskPage } from './task-page-text.ts'
import { taskCursor, taskPageSchema } from './task-pages.ts'

const SECONDS_PER_HOUR = 3600n
/** Ten years: beyond it every task expires. */
const MAX_DEADLINE_HOURS = 87_600

const all = 'ALL'

/** Each sign negates the search after it, and PostgreSQL's parser of searches keeps at most 32 operators open. */
const TOO_MANY_MINUSES = /(?:-[\s!&|()<]*){31}/

const querySchema = z.object({
  limit: queryIntegerOr(20, { min: 1, max: 100 }),
  cursor: taskCursor.optional().meta({ description: '`nextCursor` of the page before; with sort `newest` only.' }),
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
  tags: queryList(wellFormedText(1, 10_000), 10)
    .optional()
    .meta({ description: 'Repeated or comma separated; a task must have all of them.' }),
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
    .meta({ description: 'Full text over description and tags, or a reference code.' }),
  sort: z.enum(taskOrders).default('newest'),
})

/** Spec, "List tasks"; Interface, "Tasks". Unlisted and private tasks, and tasks without content, are left out. */
export const listTasks = defineRoute({
  operationId: 'listTasks',
  method: 'get',
  path: '/tasks',
  tag: 'tasks',
  summary: 'List public tasks',
  description:
    'Newest first unless sorted otherwise. Pages by `cursor` with sort `newest`; any other sort gives one page (`relevance` ranks the 200 newest matches). ' +
    'With status `open`, `claimed` or `worker_selected`, tasks whose deadline has passed are left out.',
  query: querySchema,
  isOfHead: true,
  tellsState: true,
  responses: {
    200: {
      description: 'One page of tasks.',
      schema: taskPageSchema,
    },
  },
  handler: async (deps, { query }) => {
    refuseContradictions(query)
    const { timestamp: now } = await deps.chain.head()
    const { sort: order, limit, ...conditions } = query
    return await readTaskPage(deps, toFilter(conditions, now), { order, limit, now, paged: order === 'newest' })
  },
})

type Query = z.output<typeof querySchema>

function refuseContradictions({ sort, cursor, q }: Query): void {
  if (cursor !== undefined && sort !== 'newest') {
    throw invalidRequest([{ path: 'cursor', message: 'pages with sort newest only' }])
  }
  if (sort === 'relevance' && q === undefined) {
    throw invalidRequest([{ path: 'q', message: 'is required with sort relevance' }])
  }
}

/** Only what leaves tasks out: a page of everything is found by a plan that is kept. */
function toFilter(conditions: Omit<Query, 'sort' | 'limit'>, now: bigint): TaskFilter {
  const { status, mode, deadlineHours, cursor, q, ...same } = conditions
  return {
    ...same,
    ...(status !== all && { status }),
    ...(mode !== all && { mode }),
    ...(deadlineHours !== undefined && { expiresBy: now + BigInt(deadlineHours) * SECONDS_PER_HOUR }),
    ...(cursor !== undefined && { before: cursor }),
    ...(q !== undefined && { search: q }),
  }
}
