import { z } from 'zod'
import { isInScope } from '../../domain/visibility.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32, uuid } from '../../http/request-schemas.ts'
import { timestampOut } from '../../http/response-schemas.ts'
import { toFileUrl } from '../artifact.mapper.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { findArtifactWorker } from './artifacts.queries.ts'

/**
 * Returns a signed URL of a delivered file, to callers who may see the file's submission. See the specification,
 * "Submissions".
 *
 * Example: `GET /api/tasks/0x9f0d../artifacts/8f0c../preview` answers `{"previewUrl": "http://127.0.0.1..",
 * "previewExpiresAt": "2026-11-22T23:19:01.000Z"}`.
 */
export const getArtifactPreview = defineRoute({
  operationId: 'getArtifactPreview',
  method: 'get',
  path: '/tasks/{taskId}/artifacts/{artifactId}/preview',
  tag: 'submissions',
  summary: 'Get a signed URL of a delivered file',
  params: z.object({ taskId: bytes32, artifactId: uuid }),
  audience: 'viewers',
  responses: {
    200: {
      description: 'A URL from which any client can GET the bytes until it expires.',
      schema: z.object({ previewUrl: z.string(), previewExpiresAt: timestampOut }),
    },
    404: { description: 'No such file that the caller may see.' },
  },
  handler: async (deps, { params }, context) => {
    const { task, scope } = await getVisibleTask(deps, context, params.taskId, 'artifacts')
    const worker = await findArtifactWorker(deps.sql, task.id, params.artifactId)
    if (worker === null || !isInScope(scope, worker)) {
      throw new ServiceError(404, 'unclassified', 'There is no file with this id that you may see.', {
        detail: 'file_not_found',
      })
    }
    const { timestamp: now } = await deps.chain.head()
    const { url, expiresAt } = toFileUrl(params.artifactId, { links: deps.links, now })
    return { previewUrl: url, previewExpiresAt: expiresAt }
  },
})
