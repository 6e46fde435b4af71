import { z } from 'zod'
import { endPage, nextPageHeaders, refuseUnknownAfter } from '../../http/next-page.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { toPitch } from './pitches.mapper.ts'
import { findPitchPreimage, listPitches } from './pitches.queries.ts'
import { pitchSchema } from './pitches.schemas.ts'

const MAX_ROWS = 1000

/**
 * Lists the pitches of a task to any caller who may see the task. See the specification, "Claim, pitches, bids,
 * proofs".
 *
 * Example: `GET /api/tasks/0xb482../pitches` answers `[{"id": "0x1a12..", "taskId": "0xb482..", ..}]`.
 */
export const listTaskPitches = defineRoute({
  operationId: 'listTaskPitches',
  method: 'get',
  path: '/tasks/{taskId}/pitches',
  tag: 'pitches',
  summary: "List a task's pitches",
  description:
    'In the order they were anchored. A task with more than `limit` pitches is read on with `after`, as `Link` says.',
  params: z.object({ taskId: bytes32 }),
  query: z.object({
    limit: queryIntegerOr(MAX_ROWS, { min: 1, max: MAX_ROWS }),
    after: bytes32.optional().meta({ description: 'Only pitches anchored after the one with this id.' }),
  }),
  audience: 'viewers',
  responses: {
    200: { description: 'Oldest first.', schema: z.array(pitchSchema), headers: nextPageHeaders },
    404: { description: 'No such task, or none the caller may see.' },
  },
  handler: async (deps, { params, query, part }, context) => {
    const { task } = await getVisibleTask(deps, context, params.taskId, 'pitches')
    const pageAndNext = await listPitches(deps.sql, task.id, { ...query, limit: query.limit + 1 })
    if (pageAndNext.length === 0 && query.after !== undefined) {
      refuseUnknownAfter((await findPitchPreimage(deps.sql, task.id, query.after)) !== null)
    }
    const source = { path: `/tasks/${task.id}/pitches`, query, part }
    const rows = endPage(context, deps, { rows: pageAndNext, idOf: ({ id }) => id, source })
    return rows.map(toPitch)
  },
})
