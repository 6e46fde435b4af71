import type { Context } from 'hono'
import type { Hex } from 'viem'
import { ServiceError } from '../../errors/service-error.ts'
import { anonymousRefusal, type CallerDeps, callerOf } from '../../identity/caller.ts'
import type { TaskAccess } from '../../read-model/task-visibility.queries.ts'
import { getVisibleTask } from '../visible-task.ts'

/** The error responses of every route about the viewers of a private task. */
export const ownTaskErrors = {
  401: { description: 'No read identity was sent, or a wrong one.' },
  403: { description: 'Only the requester of the task may do this.' },
  404: { description: 'No such task, or none the caller may see.' },
  409: { description: 'The task is not private, or has as many viewers as it can have.' },
} as const

/**
 * Returns a private task if the caller is its requester. The caller must send the read-identity headers (specification,
 * "Private access").
 * @throws ServiceError with the status 401, 403, 404 or 409 (`ownTaskErrors` has the reasons). If the caller may not
 * see the task, the status is 404.
 */
export async function getOwnPrivateTask(deps: CallerDeps, c: Context, taskId: Hex): Promise<TaskAccess> {
  if ((await callerOf(c, deps)) === null) {
    throw await anonymousRefusal(c, deps, 'Say who you are: send the read-identity headers of the requester.')
  }
  const { task, caller } = await getVisibleTask(deps, c, taskId)
  if (caller !== task.requester) {
    throw new ServiceError(403, 'unclassified', 'Only the requester of this task decides who may see it.', {
      detail: 'not_requester',
    })
  }
  if (task.taskVisibility !== 'private') {
    throw new ServiceError(409, 'unclassified', 'This task is not private: any caller may see it.', {
      detail: 'not_private',
    })
  }
  return task
}
