import type { Context } from 'hono'
import type { Hex } from 'viem'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { listTaskBids } from '../features/bids/list-bids.ts'
import { toMovement } from '../features/books/books.mapper.ts'
import { movementOut } from '../features/books/books.schemas.ts'
import { listNewestMovementsOfTask } from '../features/books/movements.queries.ts'
import { getClaim } from '../features/claims/get-claim.ts'
import type { RouteContract } from '../features/define-route.ts'
import { listTaskFeedbacks } from '../features/feedback/list-feedbacks.ts'
import { listTaskPitches } from '../features/pitches/list-pitches.ts'
import { listTaskProofs } from '../features/proofs/list-proofs.ts'
import { getRequesterStats } from '../features/requesters/get-requester-stats.ts'
import { listTaskSubmissions } from '../features/submissions/list-submissions.ts'
import { defineGetTask, type TaskPart } from '../features/tasks/get-task.ts'
import { address, bytes32 } from '../http/request-schemas.ts'

/** The largest number of rows of each list in the answer about one task. */
const MAX_ROWS = 100
const firstPage = { limit: MAX_ROWS }

/**
 * The route of a task with its optional parts. A part is queried only if the task's counts show that the part has rows.
 */
export const getTask = defineGetTask({
  submissions: ofTask('submissions', listTaskSubmissions, {
    query: firstPage,
    none: [],
    isIn: ({ submissionCount }) => submissionCount > 0,
  }),
  pitches: ofTask('pitches', listTaskPitches, { query: firstPage, none: [], isIn: ({ pitchCount }) => pitchCount > 0 }),
  bids: ofTask('bids', listTaskBids, {
    query: undefined,
    none: [],
    isIn: ({ auctionBidCount }) => auctionBidCount !== null && auctionBidCount > 0,
  }),
  proofs: ofTask('proofs', listTaskProofs, {
    query: firstPage,
    none: [],
    isIn: ({ mode, submissionCount }) => mode === 'benchmark' && submissionCount > 0,
  }),
  claim: ofTask('claim', getClaim, {
    query: undefined,
    none: null,
    isIn: ({ mode, claimedBy, claimRound }) => mode === 'claim' && (claimedBy !== null || claimRound > 0),
  }),
  feedbacks: ofTask('feedbacks', listTaskFeedbacks, {
    query: undefined,
    none: { feedbacks: [] },
    isIn: ({ awards }) => awards.some(({ rating }) => rating !== null),
  }),
  requesterStats: {
    schema: schemaOf(getRequesterStats),
    none: null,
    isIn: () => true,
    read: async (deps, { requester }, context) =>
      await ask(getRequesterStats, { deps, context, params: { address: address.parse(requester) }, query: undefined }),
  },
  movements: {
    schema: z.array(movementOut).meta({ description: 'Of the ledger, up to the newest block; newest first.' }),
    none: [],
    isIn: () => true,
    read: async ({ sql }, { id }) =>
      (await listNewestMovementsOfTask(sql, bytes32.parse(id), MAX_ROWS)).map(toMovement),
  },
})

/** Creates an optional part of the answer about one task. The part contains the answer of the route `route`. */
function ofTask<Query>(
  part: string,
  route: RouteContract<{ taskId: Hex }, Query>,
  { query, none, isIn }: Pick<TaskPart, 'none' | 'isIn'> & { query: Query },
): TaskPart {
  return {
    schema: schemaOf(route),
    none,
    isIn,
    read: async (deps, { id }, context) =>
      await ask(route, { deps, context, params: { taskId: bytes32.parse(id) }, query, part }),
  }
}

interface Question<Params, Query> {
  deps: Deps
  context: Context
  params: Params
  query: Query
  part?: string
}

async function ask<Params, Query>(
  route: RouteContract<Params, Query>,
  { deps, context, ...request }: Question<Params, Query>,
): Promise<object | null> {
  const answer = await route.handler(deps, { ...request, body: undefined }, context)
  if (answer instanceof Response) throw new Error(`${route.operationId} answers bytes, which are no part of a task`)
  return answer
}

function schemaOf({ operationId, responses }: Pick<RouteContract, 'operationId' | 'responses'>): z.ZodType {
  const schema = responses[200]?.schema
  if (schema === undefined) throw new Error(`${operationId} answers no JSON`)
  return schema
}
