import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../../db/client.ts'

/**
 * How many submissions of a worker to a task are anchored, or bound and not failed. A relayed one counts once, whether
 * the read model holds it already or not.
 */
export async function countSubmissions(sql: Queryable, taskId: Hex, worker: Address): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select deliverable from submission where task_id = ${taskId} and worker = ${worker}
      union
      select c.deliverable
      from service.submission_content c
      join service.intents i on i.id = c.intent_id
      where c.task_id = ${taskId} and c.worker = ${worker} and i.status in ('recorded', 'broadcast', 'completed')
    ) as deliverables`
  return row?.count ?? 0
}

/** Lets one transaction at a time count and add submissions of a worker to a task; held until it ends. */
export async function lockSubmissions(tx: Transaction, taskId: Hex, worker: Address): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`submissions:${taskId}:${worker}`}, 0))`
}
