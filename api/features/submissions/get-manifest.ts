import { z } from 'zod'
import { isInScope } from '../../domain/visibility.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { answerPreimage, preimageResponse } from '../preimage.ts'
import { getVisibleTask } from '../visible-task.ts'
import { findManifest } from './submissions.queries.ts'

/**
 * Serves the manifest of a submission. The hash of the manifest's bytes is on chain. See the specification, "Content
 * verification (raw bytes)".
 *
 * Example: `GET /api/tasks/0x9f0d../submissions/0x8886../manifest` answers `{"artifacts": [{..}], "salt": "0x6cad..",
 * "schema": "service-artifacts-v1", "taskId": "0x9f0d..", ..}`.
 */
export const getManifest = defineRoute({
  operationId: 'getSubmissionManifest',
  method: 'get',
  path: '/tasks/{taskId}/submissions/{submissionId}/manifest',
  tag: 'submissions',
  summary: 'Get the raw manifest behind a submission',
  description:
    'keccak256 of the raw body equals the deliverable committed on chain. A proof has no manifest: what is behind its ' +
    'hash is its preimage.',
  params: z.object({ taskId: bytes32, submissionId: bytes32 }),
  audience: 'viewers',
  responses: {
    200: preimageResponse('manifest', 'JSON with sorted keys and no whitespace, schema `service-artifacts-v1`.'),
    404: { description: 'No such submission with a manifest that the caller may see.' },
  },
  handler: async (deps, { params }, context) => {
    const { task, scope } = await getVisibleTask(deps, context, params.taskId, 'manifests')
    const manifestRow = await findManifest(deps.sql, task.id, params.submissionId)
    if (manifestRow === null || manifestRow.manifest === null || !isInScope(scope, manifestRow.worker)) {
      throw new ServiceError(404, 'unclassified', 'There is no manifest of this submission that you may see.', {
        detail: 'preimage_not_found',
      })
    }
    return answerPreimage(context, 'manifest', {
      body: manifestRow.manifest,
      hash: manifestRow.deliverable,
      transactionHash: manifestRow.transactionHash,
    })
  },
})
