import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'

/** A settled award, with the description of its task. */
export interface WorkRow {
  taskId: Hex
  worker: Address
  /** The hash of the awarded deliverable. */
  deliverable: Hex
  /** The time of the award's settlement, in Unix seconds. */
  settledAt: bigint
  /** The task's description, or null if the service stores no content of the task. */
  description: string | null
  /** The worker's ERC-8004 id, or null if the worker has none. */
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
