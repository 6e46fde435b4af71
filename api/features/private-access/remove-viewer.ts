import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { getOwnPrivateTask, ownTaskErrors } from './own-private-task.ts'
import { removeViewer } from './private-access.queries.ts'
import { viewerParams } from './private-access.schemas.ts'

/**
 * Withdraws the invitation of a wallet to a private task. See the specification, "Private access", and the interface
 * specification, "Record shapes" (viewers).
 *
 * Example: `DELETE /api/tasks/0x9f0d../private-access/viewers/0x2361..` answers `{"success": true}`.
 */
export const removeTaskViewer = defineRoute({
  operationId: 'removeTaskViewer',
  method: 'delete',
  path: '/tasks/{taskId}/private-access/viewers/{viewerAddress}',
  tag: 'private access',
  summary: 'Take an invitation to a private task back',
  description:
    'Requester only. A wallet that is assigned or awarded goes on seeing the task. Repeating it changes nothing.',
  params: viewerParams,
  needs: ['ReadIdentity'],
  audience: 'caller',
  responses: {
    200: { description: 'The wallet is not invited.', schema: z.object({ success: z.literal(true) }) },
    ...ownTaskErrors,
  },
  handler: async (deps, { params: { taskId, viewerAddress } }, c) => {
    const { id } = await getOwnPrivateTask(deps, c, taskId)
    await removeViewer(deps.sql, id, viewerAddress)
    return { success: true as const }
  },
})
