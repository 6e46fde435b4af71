import { z } from 'zod'
import { isInScope } from '../../domain/visibility.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { checkRepeatedIds } from '../../http/repeated-ids.ts'
import { bytes32, uuid } from '../../http/request-schemas.ts'
import { identify } from '../../identity/caller.ts'
import { actingDevice } from '../../identity/device-auth.ts'
import { defineRoute } from '../define-route.ts'
import { getTaskVisibleTo } from '../visible-task.ts'
import { getDelivery, presign } from './delivered-file.ts'
import { presignedUrlSchema } from './submissions.schemas.ts'

/**
 * Returns a signed URL of a submission's file to a device of the task's requester or of the submission's worker. See
 * the specification, "Submissions".
 *
 * Example: `POST /api/tasks/0x0dd4../submissions/0x8886../preview` with `{"taskId": "0x0dd4..", "submissionId":
 * "0x7208..", "deviceId": "bcd8..", "apiToken": "9fb4877827a6823a.."}` answers `{"presignedUrl": "http://127.0.0.1..",
 * "expiresAt": "2026-11-22T23:19:07.000Z"}`.
 */
export const previewSubmission = defineRoute({
  operationId: 'previewSubmission',
  method: 'post',
  path: '/tasks/{taskId}/submissions/{submissionId}/preview',
  tag: 'submissions',
  summary: "Get a signed URL of a submission's file, as its requester or worker",
  description:
    'By a verified device of the wallet. Without `artifactId`, of the file that `fileUrl` of the list is of.',
  params: z.object({ taskId: bytes32, submissionId: bytes32 }),
  body: z.object({
    taskId: bytes32.optional(),
    submissionId: bytes32.optional(),
    artifactId: uuid.optional(),
    deviceId: uuid,
    apiToken: z.string().max(200).optional().meta({ description: 'May come in its header instead.' }),
  }),
  needs: ['DeviceToken'],
  audience: 'device',
  responses: {
    200: { description: 'The URL.', schema: presignedUrlSchema },
    401: { description: 'No device with this id and token.' },
    403: { description: 'The device does not act, or its wallet is neither the requester nor the worker.' },
    404: { description: 'No such submission or file that the wallet may see.' },
  },
  handler: async (deps, { params, body }, context) => {
    checkRepeatedIds(params, body)
    const { wallet } = actingDevice(await identify(context, deps).device(body))
    const { task, scope } = await getTaskVisibleTo(deps, wallet, { taskId: params.taskId, resource: 'artifacts' })
    const delivery = await getDelivery(deps, { ...params, taskId: task.id })
    const isParty = wallet === task.requester || wallet === delivery.worker
    if (!isParty || !isInScope(scope, delivery.worker)) {
      throw new ServiceError(403, 'unclassified', 'Only the requester and the submitting worker get this preview.', {
        detail: 'not_party',
      })
    }
    context.header('Cache-Control', 'no-store')
    return await presign(deps, delivery, body.artifactId)
  },
})
