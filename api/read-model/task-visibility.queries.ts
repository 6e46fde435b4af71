import type { Hex } from 'viem'
import { keepingPlans, type Queryable } from '../db/client.ts'
import type { RowAccessFacts } from '../domain/access/access-facts.ts'
import { createdContent, participantsColumn, taskAccess, viewersColumn } from './task-access.ts'

/** What decides who may see a task and its submissions. */
export interface TaskGate extends RowAccessFacts {
  id: Hex
  /** Of a private task that a password opens; null otherwise. */
  passwordHash: string | null
}

/** The gate of one task; null when there is none of that id. A task without content counts as unlisted. */
export async function findTaskGate(sql: Queryable, taskId: Hex): Promise<TaskGate | null> {
  return (await listTaskGates(sql, [taskId])).get(taskId) ?? null
}

/** The gates of tasks by their ids; of an unknown task there is none. One statement. */
export async function listTaskGates(sql: Queryable, taskIds: readonly Hex[]): Promise<Map<Hex, TaskGate>> {
  if (taskIds.length === 0) return new Map()
  const keyed = keepingPlans(sql)
  const rows = await keyed<TaskGate[]>`
    select t.id, t.requester, t.status, t.evaluator, t.dispute_resolver, judged.verdict, access.password_hash,
      coalesce(created.task_visibility, 'unlisted') as task_visibility,
      coalesce(created.submission_visibility, 'public') as submission_visibility,
      ${participantsColumn(keyed)}, ${viewersColumn(keyed)},
      array(select worker from award where task_id = t.id order by rank) as awarded_workers
    from task t
    left join evaluation judged on judged.task_id = t.id and judged.timed_out_at is null
    ${createdContent(keyed)}
    ${taskAccess(keyed)}
    where t.id = any(${taskIds as Hex[]}::text[])`
  return new Map(rows.map((gate) => [gate.id, gate]))
}
