import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** A settled award with its work. */
export interface WorkRow {
  taskId: Hex
  worker: Address
  /** The awarded deliverable. */
  deliverable: Hex
  /** The time of the settlement, Unix seconds. */
  settledAt: bigint
  /** The description; null: the task has no content here. */
  description: string | null
  /** The ERC-8004 id; null: a human. */
  agentId: bigint | null
}

/** Lists the latest awards of a worker, newest first. */
export async function listWork(sql: Queryable, worker: Address, limit: number): Promise<WorkRow[]> {
  return await sql<WorkRow[]>`
    select w.task_id, w.worker, w.deliverable, w.settled_at, c.description, a.agent_id
    from award w
    join task t on t.id = w.task_id
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    left join agent a on a.address = w.worker
    where w.worker = ${worker}
    order by w.settled_at desc, w.block_number desc, w.log_index desc, w.id desc
    limit ${limit}`
}
