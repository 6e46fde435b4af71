import type { Address, Hex } from 'viem'
import type { Queryable } from './client.ts'

/** What decides who may see a task and its submissions. */
export interface TaskGate {
  id: Hex
  requester: Address
  status: string
  taskVisibility: 'public' | 'unlisted' | 'private'
  submissionVisibility: 'public' | 'reveal_all' | 'winner_only' | 'never'
  /** By rank; empty before completion. */
  awardedWorkers: Address[]
}

/** The gate of one task; null when there is none of that id. A task without content counts as unlisted. */
export async function findTaskGate(sql: Queryable, taskId: Hex): Promise<TaskGate | null> {
  return (await listTaskGates(sql, [taskId])).get(taskId) ?? null
}

/** The gates of tasks by their ids; of an unknown task there is none. One statement. */
export async function listTaskGates(sql: Queryable, taskIds: readonly Hex[]): Promise<Map<Hex, TaskGate>> {
  if (taskIds.length === 0) return new Map()
  const rows = await sql<TaskGate[]>`
    select t.id, t.requester, t.status,
      coalesce(c.task_visibility, 'unlisted') as task_visibility,
      coalesce(c.submission_visibility, 'public') as submission_visibility,
      array(select worker from award where task_id = t.id order by rank) as awarded_workers
    from task t
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    where t.id = any(${taskIds as Hex[]}::text[])`
  return new Map(rows.map((gate) => [gate.id, gate]))
}
