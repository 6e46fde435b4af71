import { z } from 'zod'
import { bytes32 } from '../../http/primitives.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { defineRoute } from '../../http/route.ts'
import { getVisibleTask } from '../../http/visible-task.ts'
import { toProof } from './proofs.mapper.ts'
import { listProofs } from './proofs.queries.ts'
import { proofSchema } from './proofs.schemas.ts'

const MAX_ROWS = 1000

/** Spec, "Claim, pitches, bids, proofs": the list, under the gates of task and submission visibility. */
export const listTaskProofs = defineRoute({
  operationId: 'listTaskProofs',
  method: 'get',
  path: '/tasks/{taskId}/proofs',
  tag: 'proofs',
  summary: "List a benchmark's proofs",
  description:
    'In the order they were anchored, as far as the caller may see them: as the task’s submissions, which they are ' +
    'among. A task with more than `limit` proofs is read on with `after`.',
  params: z.object({ taskId: bytes32 }),
  query: z.object({
    limit: queryIntegerOr(MAX_ROWS, { min: 1, max: MAX_ROWS }),
    after: bytes32.optional().meta({ description: 'Only proofs anchored after the one with this id.' }),
  }),
  readsCaller: true,
  readsGrant: true,
  responses: {
    200: { description: 'Oldest first.', schema: z.array(proofSchema) },
    404: { description: 'No such task, or none the caller may see.' },
  },
  handler: async (deps, { params, query }, context) => {
    const { task, scope } = await getVisibleTask(deps, context, params.taskId, 'proofs')
    const rows = await listProofs(deps.sql, task.id, { ...query, ...scope })
    return rows.map(toProof)
  },
})
