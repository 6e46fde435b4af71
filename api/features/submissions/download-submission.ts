import { z } from 'zod'
import { isInScope } from '../../domain/visibility.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { checkRepeatedIds } from '../../http/repeated-ids.ts'
import { bytes32, uuid } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getVisibleTask } from '../visible-task.ts'
import { getDelivery, presign, unknownSubmission } from './delivered-file.ts'
import { listSettlements } from './submissions.queries.ts'
import { presignedUrlSchema } from './submissions.schemas.ts'

/**
 * Returns a signed URL of a file of an accepted submission. See the specification, "Submissions", and the interface
 * specification, "Record shapes".
 *
 * Example: `POST /api/tasks/0x9f0d../submissions/0x8886../download` with `{"taskId": "0x9f0d..", "submissionId":
 * "0x8886..", "acceptanceTxHash": "0x26e6.."}` answers `{"presignedUrl": "http://127.0.0.1..", "expiresAt":
 * "2026-11-22T23:19:04.000Z"}`.
 */
export const downloadSubmission = defineRoute({
  operationId: 'downloadSubmission',
  method: 'post',
  path: '/tasks/{taskId}/submissions/{submissionId}/download',
  tag: 'submissions',
  summary: "Get a signed URL of an accepted submission's file",
  description:
    'For callers who may see the files of the submission. `acceptanceTxHash` is the transaction that settled its award: ' +
    '`settlementTxHash` of the award in the task. Without `artifactId`, of the file that `fileUrl` of the list is of.',
  params: z.object({ taskId: bytes32, submissionId: bytes32 }),
  body: z.object({
    taskId: bytes32.optional(),
    submissionId: bytes32.optional(),
    acceptanceTxHash: bytes32,
    artifactId: uuid.optional(),
  }),
  audience: 'viewers',
  responses: {
    200: { description: 'The URL.', schema: presignedUrlSchema },
    404: { description: 'No such submission or file that the caller may see.' },
    409: { description: 'The submission was not accepted, or not by this transaction.' },
  },
  handler: async (deps, { params, body }, context) => {
    checkRepeatedIds(params, body)
    const { task, scope } = await getVisibleTask(deps, context, params.taskId, 'artifacts')
    const delivery = await getDelivery(deps, { ...params, taskId: task.id })
    if (!isInScope(scope, delivery.worker)) throw unknownSubmission()
    const settlements = await listSettlements(deps.sql, task.id, delivery)
    if (!settlements.includes(body.acceptanceTxHash)) throw notAccepted(settlements.length > 0)
    context.header('Cache-Control', 'no-store')
    return await presign(deps, delivery, body.artifactId)
  },
})

function notAccepted(isAccepted: boolean): ServiceError {
  const fact = isAccepted ? 'This submission was accepted by another transaction' : 'This submission is not accepted'
  return new ServiceError(409, 'unclassified', `${fact}; read settlementTxHash of its award in the task.`, {
    detail: 'not_accepted',
  })
}
