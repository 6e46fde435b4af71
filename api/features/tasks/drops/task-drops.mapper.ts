import { toAddress } from '../../../http/response-schemas.ts'
import type { TaskDropRow } from './task-drops.queries.ts'
import type { TaskDrop } from './task-drops.schemas.ts'

/** A drop as it goes out. */
export function toTaskDrop({ id, owner, name, description, createdAt }: TaskDropRow): TaskDrop {
  return { id, ownerAddress: toAddress(owner), name, description, createdAt: createdAt.toISOString() }
}
