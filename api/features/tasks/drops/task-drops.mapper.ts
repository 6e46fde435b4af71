import { toAddress } from '../../../http/response-schemas.ts'
import type { TaskDropRow } from './task-drops.queries.ts'
import type { TaskDrop } from './task-drops.schemas.ts'

/** Returns the public form of a task drop. */
export function toTaskDrop({ id, owner, name, description, createdAt }: TaskDropRow): TaskDrop {
  return { id, ownerAddress: toAddress(owner), name, description, createdAt: createdAt.toISOString() }
}
