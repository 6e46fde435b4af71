import type { Hex } from 'viem'
import { keepingPlans, type Queryable } from '../db/client.ts'
import type { RowAccessFacts } from '../domain/access/access-facts.ts'
import { createdContent, participantsColumn, taskAccess, viewersColumn } from './task-access.ts'

/** The facts that decide who may read a task and its submissions. */
export interface TaskAccess extends RowAccessFacts {
  id: Hex
  /** The password hash of a private task. Null for a task that is not private. */
  passwordHash: string | null
}

/**
 * Returns the access facts of one task, or null if the task does not exist. A task without content counts as unlisted.
 */
export async function findTaskAccess(sql: Queryable, taskId: Hex): Promise<TaskAccess | null> {
  return (await listTaskAccess(sql, [taskId])).get(taskId) ?? null
}

/** Returns the access facts of several tasks by id, in one statement. Unknown tasks are missing in the result. */
export async function listTaskAccess(sql: Queryable, taskIds: readonly Hex[]): Promise<Map<Hex, TaskAccess>> {
  if (taskIds.length === 0) return new Map()
  const plannedSql = keepingPlans(sql)
  const rows = await plannedSql<TaskAccess[]>`
    select t.id, t.requester, t.status, t.evaluator, t.dispute_resolver, judged.verdict, access.password_hash,
      coalesce(created.task_visibility, 'unlisted') as task_visibility,
      coalesce(created.submission_visibility, 'public') as submission_visibility,
      ${participantsColumn(plannedSql)}, ${viewersColumn(plannedSql)},
      array(select worker from award where task_id = t.id order by rank) as awarded_workers
    from task t
    left join evaluation judged on judged.task_id = t.id and judged.timed_out_at is null
    ${createdContent(plannedSql)}
    ${taskAccess(plannedSql)}
    where t.id = any(${taskIds as Hex[]}::text[])`
  return new Map(rows.map((access) => [access.id, access]))
}
