import { z } from 'zod'
import { endPage, nextPageHeaders, refuseUnknownAfter } from '../../http/next-page.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { toProof } from './proofs.mapper.ts'
import { findProofPreimage, listProofs } from './proofs.queries.ts'
import { proofSchema } from './proofs.schemas.ts'

const MAX_ROWS = 1000

/**
 * Lists the proofs of a benchmark task. The list contains only the proofs that the caller may see. See the
 * specification, "Claim, pitches, bids, proofs".
 *
 * Example: `GET /api/tasks/0x5703../proofs` answers `[{"id": "0xb981..", "taskId": "0x5703..", ..}]`.
 */
export const listTaskProofs = defineRoute({
  operationId: 'listTaskProofs',
  method: 'get',
  path: '/tasks/{taskId}/proofs',
  tag: 'proofs',
  summary: "List a benchmark's proofs",
  description:
    'In the order they were anchored, as far as the caller may see them: as the task’s submissions, which they are ' +
    'among. A task with more than `limit` proofs is read on with `after`, as `Link` says.',
  params: z.object({ taskId: bytes32 }),
  query: z.object({
    limit: queryIntegerOr(MAX_ROWS, { min: 1, max: MAX_ROWS }),
    after: bytes32.optional().meta({ description: 'Only proofs anchored after the one with this id.' }),
  }),
  audience: 'viewers',
  responses: {
    200: { description: 'Oldest first.', schema: z.array(proofSchema), headers: nextPageHeaders },
    404: { description: 'No such task, or none the caller may see.' },
  },
  handler: async (deps, { params, query, part }, context) => {
    const { task, scope } = await getVisibleTask(deps, context, params.taskId, 'proofs')
    const pageAndNext = await listProofs(deps.sql, task.id, { ...query, limit: query.limit + 1, ...scope })
    if (pageAndNext.length === 0 && query.after !== undefined) {
      refuseUnknownAfter((await findProofPreimage(deps.sql, task.id, query.after)) !== null)
    }
    const source = { path: `/tasks/${task.id}/proofs`, query, part }
    const rows = endPage(context, deps, { rows: pageAndNext, idOf: ({ id }) => id, source })
    return rows.map(toProof)
  },
})
