import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { Creation } from '../../../../protocol/operations/create-task.ts'
import type { ContentRows } from '../../../intents/content.ts'

/**
 * The values of a new task that are stored in the rows of its task drop. `now` is the time of the latest block, in Unix
 * seconds.
 */
interface NewTask {
  requester: Address
  contentHash: Hex
  now: bigint
}

/**
 * Returns the id of the new task's drop, and the database rows to store. A row for the drop itself is included only if
 * the drop is new. If the task has no drop, the id is null and there are no rows.
 */
export function dropContentOf(
  { taskDropId, taskDropCreate, taskVisibility }: Creation,
  { requester, contentHash, now }: NewTask,
): Pick<ContentRows, 'taskDrop' | 'taskDropMember'> & { taskDropId: string | null } {
  const id = taskDropCreate === undefined ? taskDropId : randomUUID()
  if (id === undefined) return { taskDropId: null }
  return {
    taskDropId: id,
    taskDropMember: { dropId: id, requester, createdContentHash: contentHash, taskVisibility },
    ...(taskDropCreate !== undefined && {
      taskDrop: {
        id,
        owner: requester,
        createdAt: now,
        name: taskDropCreate.name,
        description: taskDropCreate.description ?? null,
      },
    }),
  }
}
