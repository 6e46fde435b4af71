import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { canViewTask, isShownInRecord } from '../../domain/visibility.ts'
import { endPage, nextPageHeaders, refuseUnknownAfter } from '../../http/next-page.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { callerOf } from '../../identity/caller.ts'
import { listTaskAccess } from '../../read-model/task-visibility.queries.ts'
import { defineRoute } from '../define-route.ts'
import { toMySubmission } from './submissions.mapper.ts'
import { isSubmissionOf, listSubmissionsOf } from './submissions.queries.ts'
import { type MySubmission, mySubmissionSchema } from './submissions.schemas.ts'

const MAX_ROWS = 100
/** The largest number of submissions that one query reads to find the visible submissions. */
const MAX_STEP = 5000

/**
 * Lists a worker's submissions to all tasks. The worker gets all submissions. Any other caller gets only submissions
 * that the caller may see in the task. The task must also be listed, or the caller must have a role in it. See the
 * specification, "Submissions".
 *
 * Example: `GET /api/submissions/mine?workerAddress=0x14dC..` answers `[{"submissionId": "0x8886..", "taskId":
 * "0x9f0d..", ..}]`.
 */
export const listMySubmissions = defineRoute({
  operationId: 'listMySubmissions',
  method: 'get',
  path: '/submissions/mine',
  tag: 'submissions',
  summary: "List a worker's submissions to all tasks",
  description:
    'The newest first. The worker, by read identity, sees all of them; any other caller those that the caller would see in the list of ' +
    'the task itself, of tasks that are listed or that the caller has a part in. A worker with more than `limit` of them is ' +
    'read on with `after`, as `Link` says.',
  query: z.object({
    workerAddress: address,
    limit: queryIntegerOr(MAX_ROWS, { min: 1, max: MAX_ROWS }),
    after: bytes32.optional().meta({ description: 'Only submissions older than the one with this id.' }),
  }),
  audience: 'caller',
  responses: { 200: { description: 'Newest first.', schema: z.array(mySubmissionSchema), headers: nextPageHeaders } },
  handler: async (deps, { query }, context) => {
    const { workerAddress: worker, limit, after } = query
    const caller = await callerOf(context, deps)
    const rows = await listShown(deps.sql, { worker, caller }, { limit: limit + 1, after })
    if (rows.length === 0 && after !== undefined) refuseUnknownAfter(await isSubmissionOf(deps.sql, worker, after))
    const source = { path: '/submissions/mine', query }
    return endPage(context, deps, { rows, idOf: ({ submissionId }) => submissionId, source })
  },
})

/**
 * Returns a page of the submissions that the caller may see. The function reads submissions in steps until the page is
 * full or no submission is left. Two statements are usually enough.
 */
async function listShown(
  sql: Database,
  { worker, caller }: { worker: Address; caller: Address | null },
  { limit, after }: { limit: number; after: Hex | undefined },
): Promise<MySubmission[]> {
  const viewer = { address: caller, holdsGrant: false }
  const shownSubmissions: MySubmission[] = []
  let last = after
  for (let step = limit; ; step = Math.min(MAX_STEP, 4 * step)) {
    const rows = await listSubmissionsOf(sql, worker, { after: last, limit: step })
    const accessOfTasks = await listTaskAccess(sql, [...new Set(rows.map(({ taskId }) => taskId))])
    for (const row of rows) {
      const access = accessOfTasks.get(row.taskId)
      if (access === undefined) continue
      const isOwn = caller === worker
      if (isOwn || isShownInRecord('submissions', access, { worker, viewer })) {
        shownSubmissions.push(toMySubmission(row, canViewTask(access, caller)))
      }
    }
    last = rows.at(-1)?.id
    if (shownSubmissions.length >= limit || rows.length < step || last === undefined)
      return shownSubmissions.slice(0, limit)
  }
}
