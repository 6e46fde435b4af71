import { z } from 'zod'
import { findFiles } from '../../artifacts/artifacts.queries.ts'
import { endPage, nextPageHeaders, refuseUnknownAfter } from '../../http/next-page.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { toSubmission } from './submissions.mapper.ts'
import { findDelivery, listSubmissions } from './submissions.queries.ts'
import { submissionSchema } from './submissions.schemas.ts'

const MAX_ROWS = 1000

/**
 * Lists the submissions of a task. The list contains only the submissions that the caller may see. See the
 * specification, "Submissions".
 *
 * Example: `GET /api/tasks/0x9f0d../submissions` answers `[{"id": "0x8886..", "referenceCode": "SUB-H238QJNY", ..}]`.
 */
export const listTaskSubmissions = defineRoute({
  operationId: 'listTaskSubmissions',
  method: 'get',
  path: '/tasks/{taskId}/submissions',
  tag: 'submissions',
  summary: "List a task's submissions",
  description:
    'In the order they were committed, as far as the caller may see them. A task with more than `limit` submissions ' +
    'is read on with `after`, as `Link` says.',
  params: z.object({ taskId: bytes32 }),
  query: z.object({
    limit: queryIntegerOr(MAX_ROWS, { min: 1, max: MAX_ROWS }),
    after: bytes32.optional().meta({ description: 'Only submissions committed after the one with this id.' }),
  }),
  audience: 'viewers',
  responses: {
    200: { description: 'Oldest first.', schema: z.array(submissionSchema), headers: nextPageHeaders },
    404: { description: 'No such task, or none the caller may see.' },
  },
  handler: async (deps, { params, query, part }, context) => {
    const { task, caller, scope } = await getVisibleTask(deps, context, params.taskId, 'submissions')
    const pageAndNext = await listSubmissions(deps.sql, task.id, { ...query, limit: query.limit + 1, ...scope })
    if (pageAndNext.length === 0 && query.after !== undefined) {
      refuseUnknownAfter((await findDelivery(deps.sql, task.id, query.after)) !== null)
    }
    const source = { path: `/tasks/${task.id}/submissions`, query, part }
    const rows = endPage(context, deps, { rows: pageAndNext, idOf: ({ id }) => id, source })
    const filesOf = await findFiles(deps.sql, rows)
    const { timestamp: now } = await deps.chain.head()
    const view = { links: deps.links, caller, now }
    return rows.map((row) => toSubmission(row, filesOf(row), view))
  },
})
