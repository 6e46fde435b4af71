import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { Creation } from '../../../../protocol/operations/create-task.ts'
import type { ContentRows } from '../../../intents/content.ts'

/** A new task as far as its drop is concerned. `now`: the chain head's time, Unix seconds. */
interface NewTask {
  requester: Address
  contentHash: Hex
  now: bigint
}

/** What a creation stores of its drop, new or not, and the drop's id; null and nothing without one. */
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
