import { z } from 'zod'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { findVisibleTask } from '../visible-task.ts'
import { readTaskDetail } from './task-detail.ts'
import { findTaskIdOfCode } from './tasks.queries.ts'
import { taskDetailSchema } from './tasks.schemas.ts'

/** `TSK-` and characters of Crockford's base32, in any case. Becomes upper case. */
const referenceCode = z
  .string()
  .regex(/^TSK-[0-9A-HJKMNP-TV-Z]{8,52}$/i, { error: 'must be a task id or a reference code' })
  .transform((text) => text.toUpperCase())

/** Spec, "Get task". Unknown, and private without the right to see it, answer alike: null. */
export const getTask = defineRoute({
  operationId: 'getTask',
  method: 'get',
  path: '/tasks/{taskId}',
  tag: 'tasks',
  summary: 'Get a task in full',
  description: 'By task id or reference code. Null for an unknown task and for one the caller may not see.',
  params: z.object({ taskId: z.union([bytes32, referenceCode], { error: 'must be a task id or a reference code' }) }),
  readsCaller: true,
  readsGrant: true,
  responses: { 200: { description: 'The task, or null.', schema: taskDetailSchema.nullable() } },
  handler: async (deps, { params }, context) => {
    const taskId = isTaskId(params.taskId) ? params.taskId : await findTaskIdOfCode(deps.sql, params.taskId)
    if (taskId === null) return null
    // Who may see it is decided by the primary alone.
    const [visible, detail] = await Promise.all([
      findVisibleTask(deps, context, taskId),
      deps.publicReads.read((sql) => readTaskDetail(deps, sql, taskId)),
    ])
    return visible && detail
  },
})

function isTaskId(idOrCode: string): idOrCode is `0x${string}` {
  return idOrCode.startsWith('0x')
}
