import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { invalidRequest } from '../../http/parse.ts'
import { address } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { getOwnPrivateTask, ownTaskErrors } from './own-private-task.ts'
import { addViewer } from './private-access.queries.ts'
import { taskParams, toViewer, viewerSchema } from './private-access.schemas.ts'

/**
 * The largest number of viewers of a task. Viewers that were invited at the creation of the task count as well. See the
 * specification, "Limits" (allowedViewers).
 */
const MAX_VIEWERS = 50

/**
 * Invites a wallet to a private task. See the specification, "Private access", and the interface specification, "Record
 * shapes" (viewers).
 *
 * Example: `POST /api/tasks/0x9f0d../private-access/viewers` with `{"viewerAddress": "0x2361.."}` answers
 * `{"viewerAddress": "0x2361..", "addedBy": "0x976E..", "createdAt": "2026-11-22T23:04:10.036Z"}`.
 */
export const addTaskViewer = defineRoute({
  operationId: 'addTaskViewer',
  method: 'post',
  path: '/tasks/{taskId}/private-access/viewers',
  tag: 'private access',
  summary: 'Invite a wallet to a private task',
  description:
    'Requester only. The wallet may see the task, and act on it, from then on. Inviting it again changes nothing and ' +
    `answers the first invitation. At most ${MAX_VIEWERS} wallets at a time.`,
  params: taskParams,
  body: z.object({ viewerAddress: address }),
  needs: ['ReadIdentity'],
  audience: 'caller',
  responses: { 200: { description: 'The invitation.', schema: viewerSchema }, ...ownTaskErrors },
  handler: async (deps, { params, body: { viewerAddress } }, c) => {
    const { id, requester } = await getOwnPrivateTask(deps, c, params.taskId)
    if (viewerAddress === requester) {
      throw invalidRequest([{ path: 'viewerAddress', message: 'is the requester, who sees the task anyway' }])
    }
    const row = await addViewer(deps.sql, id, { viewer: viewerAddress, addedBy: requester, max: MAX_VIEWERS })
    if (row !== null) return toViewer(row)
    throw new ServiceError(
      409,
      'unclassified',
      `The task has ${MAX_VIEWERS} viewers, which is as many as it can have; remove one first.`,
      { detail: 'viewer_limit' },
    )
  },
})
