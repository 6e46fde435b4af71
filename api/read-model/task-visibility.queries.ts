import type { Hex } from 'viem'
import { keepingPlans, type Queryable } from '../db/client.ts'
import type { RowAccessFacts } from '../domain/access/access-facts.ts'
import { createdContent, participantsColumn, taskAccess, viewersColumn } from './task-access.ts'

/** What decides who may see a task and its submissions. */
export interface TaskAccess extends RowAccessFacts {
  id: Hex
  /** Of a private task that a password opens; null otherwise. */
  passwordHash: string | null
}

/** What decides about one task; null when there is none of that id. A task without content counts as unlisted. */
export async function findTaskAccess(sql: Queryable, taskId: Hex): Promise<TaskAccess | null> {
  return (await listTaskAccess(sql, [taskId])).get(taskId) ?? null
}

/** The same of several tasks by their ids, without the unknown ones. One statement. */
export async function listTaskAccess(sql: Queryable, taskIds: readonly Hex[]): Promise<Map<Hex, TaskAccess>> {
  if (taskIds.length === 0) return new Map()
  const keyed = keepingPlans(sql)
  const rows = await keyed<TaskAccess[]>`
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
  return new Map(rows.map((access) => [access.id, access]))
}
