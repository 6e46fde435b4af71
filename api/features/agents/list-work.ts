import { z } from 'zod'
import { toSubmissionId } from '../../../protocol/rules/row-ids.ts'
import { type ArtifactRecord, findFiles } from '../../artifacts/artifacts.queries.ts'
import { taskTitleOf } from '../../domain/task-title.ts'
import { isShownInRecord } from '../../domain/visibility.ts'
import { queryIntegerOr } from '../../http/query.ts'
import { address } from '../../http/request-schemas.ts'
import { hashOut, timestampOut, toTimestamp } from '../../http/response-schemas.ts'
import { callerOf } from '../../identity/caller.ts'
import { listTaskAccess } from '../../read-model/task-visibility.queries.ts'
import { type ArtifactView, type Previews, toArtifact } from '../artifact.mapper.ts'
import { artifactSchema } from '../artifact.schemas.ts'
import { defineRoute } from '../define-route.ts'
import { listWork, type WorkRow } from './work.queries.ts'

/** The schema of a worker's award with its task. See the specification, "Other records": Agent work item. */
export const workItemSchema = z
  .object({
    taskId: hashOut,
    taskTitle: z.string().nullable().meta({
      description: 'First line of the description, at most 80 characters. Null: it has none, or none for the caller.',
    }),
    completedAt: timestampOut,
    artifacts: z
      .array(artifactSchema)
      .meta({ description: 'Of the awarded deliverable, as far as the caller sees it.' }),
  })
  .meta({ id: 'AgentWorkItem' })

type WorkItem = z.output<typeof workItemSchema>

/**
 * Lists the awards of a worker with their tasks. See the specification, "Submissions".
 *
 * Example: `GET /api/agents/0x14dC../work` answers `[{"taskId": "0x9f0d..", "taskTitle": "Write a haiku ab..", ..}]`.
 */
export const listAgentWork = defineRoute({
  operationId: 'listAgentWork',
  method: 'get',
  path: '/agents/{address}/work',
  tag: 'agents',
  summary: 'List what a worker was awarded for',
  description:
    'One item an award, the newest first, rated or not, whatever its rank. Awards stand on chain and are public; title ' +
    'and files of a task are shown to callers who may see them there, of tasks that are listed or that the caller has a part in.',
  params: z.object({ address }),
  query: z.object({
    limit: queryIntegerOr(12, { min: 1, max: 50 }),
    includePreviewUrls: z.enum(['none', 'media']).default('media').meta({
      description: 'Whether images, videos and sounds come with a signed URL.',
    }),
  }),
  audience: 'caller',
  responses: { 200: { description: 'Newest first.', schema: z.array(workItemSchema) } },
  handler: async (deps, { params, query }, context) => {
    const worker = params.address
    const [rows, caller] = await Promise.all([listWork(deps.sql, worker, query.limit), callerOf(context, deps)])
    const accessOfTasks = await listTaskAccess(
      deps.sql,
      rows.map(({ taskId }) => taskId),
    )
    const isShown = (resource: 'task' | 'artifacts') => (row: WorkRow) => {
      const access = accessOfTasks.get(row.taskId)
      return (
        access !== undefined &&
        isShownInRecord(resource, access, { worker, viewer: { address: caller, holdsGrant: false } })
      )
    }
    const [isTaskShown, areFilesShown] = [isShown('task'), isShown('artifacts')]
    const filesOf = await findFiles(deps.sql, rows.filter(areFilesShown))
    const { timestamp: now } = await deps.chain.head()
    const view = { links: deps.links, now, previews: query.includePreviewUrls }
    return rows.map((row) => toWorkItem({ ...row, isTaskShown: isTaskShown(row) }, filesOf(row), view))
  },
})

function toWorkItem(
  row: WorkRow & { isTaskShown: boolean },
  files: readonly ArtifactRecord[],
  view: ArtifactView & { previews: Previews },
): WorkItem {
  const submission = { ...row, submissionId: toSubmissionId(row.taskId, row) }
  return {
    taskId: row.taskId,
    taskTitle: row.isTaskShown ? taskTitleOf(row.description) : null,
    completedAt: toTimestamp(row.settledAt),
    artifacts: files.map((file) => toArtifact(submission, file, view)),
  }
}
