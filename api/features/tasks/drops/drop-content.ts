import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { Creation } from '../../../../protocol/operations/create-task.ts'
import type { ContentRows } from '../../../intents/content.ts'

/** The facts of a new task for its drop. `now`: time of the chain head, Unix seconds. */
interface NewTask {
  requester: Address
  contentHash: Hex
  now: bigint
}

/** Returns the stored rows of a creation's drop, new or not, and the drop's id; null and no rows without one. */
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
