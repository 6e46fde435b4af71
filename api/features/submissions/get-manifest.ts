import { z } from 'zod'
import { isInScope } from '../../domain/visibility.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { answerPreimage, preimageResponse } from '../preimage.ts'
import { getVisibleTask } from '../visible-task.ts'
import { findManifest } from './submissions.queries.ts'

/** Spec, "Content verification (raw bytes)": the bytes behind a submission's on-chain hash. */
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
    const found = await findManifest(deps.sql, task.id, params.submissionId)
    if (found === null || found.manifest === null || !isInScope(scope, found.worker)) {
      throw new ServiceError(404, 'unclassified', 'There is no manifest of this submission that you may see.', {
        detail: 'preimage_not_found',
      })
    }
    return answerPreimage(context, 'manifest', {
      body: found.manifest,
      hash: found.deliverable,
      transactionHash: found.transactionHash,
    })
  },
})
