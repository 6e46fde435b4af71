import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { getOwnPrivateTask, ownTaskErrors } from './own-private-task.ts'
import { listViewers } from './private-access.queries.ts'
import { taskParams, toViewer, viewerSchema } from './private-access.schemas.ts'

/**
 * Lists the wallets invited to a private task. See the specification, "Private access", and the interface
 * specification, "Record shapes" (viewers).
 *
 * Example: `GET /api/tasks/0x9f0d../private-access/viewers` answers `[{"viewerAddress": "0x2361..", "addedBy":
 * "0x976E..", ..}]`.
 */
export const listTaskViewers = defineRoute({
  operationId: 'listTaskViewers',
  method: 'get',
  path: '/tasks/{taskId}/private-access/viewers',
  tag: 'private access',
  summary: 'List the wallets invited to a private task',
  description: 'Requester only.',
  params: taskParams,
  needs: ['ReadIdentity'],
  audience: 'caller',
  responses: {
    200: { description: 'In the order of the invitations.', schema: z.array(viewerSchema) },
    ...ownTaskErrors,
  },
  handler: async (deps, { params }, c) => {
    const { id } = await getOwnPrivateTask(deps, c, params.taskId)
    return (await listViewers(deps.sql, id)).map(toViewer)
  },
})
