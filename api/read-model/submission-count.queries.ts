import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'

/**
 * The counts of submissions to one task. `ordinary` counts one worker's submissions without benchmark proofs. `total`
 * counts the same worker's submissions and benchmark proofs. `freeOfTask` counts the free submissions of all workers.
 */
export interface SubmissionCount {
  /**
   * The number of the worker's submissions without a benchmark proof. Only submissions without a proof use the free
   * allowance. A submission with a proof is always paid.
   */
  ordinary: number
  /** The number of the worker's submissions, including submissions with a benchmark proof. */
  total: number
  /**
   * The number of free submissions to the task by all workers, relayed by this service. At most MOST_COUNTED are
   * counted.
   */
  freeOfTask: number
}

/** The number at which counting a task's free submissions stops. */
const MOST_COUNTED = 1_000

/**
 * Counts a worker's submissions to a task, on chain and in intents that have not failed. A relayed submission counts
 * once.
 */
export async function countSubmissions(sql: Queryable, taskId: Hex, worker: Address): Promise<SubmissionCount> {
  const [row] = await sql<{ ordinary: number; proofs: number; freeOfTask: number }[]>`
    select
      (select count(*)::int from (
        select from service.submission_content c
        join service.intents i on i.id = c.intent_id
        where c.task_id = ${taskId} and i.relay_mode = 'signed' and i.status in ('recorded', 'broadcast', 'completed')
        limit ${MOST_COUNTED}
      ) as free) as free_of_task,
      (select count(*)::int from (
        select s.deliverable from submission s
        where s.task_id = ${taskId} and s.worker = ${worker} and not exists (select from proof where id = s.id)
        union
        select c.deliverable
        from service.submission_content c
        join service.intents i on i.id = c.intent_id
        where c.task_id = ${taskId} and c.worker = ${worker} and i.status in ('recorded', 'broadcast', 'completed')
      ) as deliverables) as ordinary,
      (select count(*)::int from (
        select s.id from submission s join proof on proof.id = s.id
        where s.task_id = ${taskId} and s.worker = ${worker}
        union
        select c.proof_id
        from service.proof_content c
        join service.intents i on i.id = c.intent_id
        where c.task_id = ${taskId} and c.worker = ${worker} and i.status in ('recorded', 'broadcast', 'completed')
      ) as ids) as proofs`
  const { ordinary, proofs, freeOfTask } = row ?? { ordinary: 0, proofs: 0, freeOfTask: 0 }
  return { ordinary, total: ordinary + proofs, freeOfTask }
}

/**
 * Returns true if the worker signed a free submission together with its files. Submissions of failed intents do not
 * count.
 */
export async function hasBoundSubmission(sql: Queryable, taskId: Hex, worker: Address): Promise<boolean> {
  const [row] = await sql<{ isBound: boolean }[]>`
    select exists (
      select from service.submission_content c
      join service.intents i on i.id = c.intent_id
      where c.task_id = ${taskId} and c.worker = ${worker} and i.status in ('recorded', 'broadcast', 'completed')
        and i.suffix <> ''
    ) as is_bound`
  return row?.isBound ?? false
}

/**
 * Locks the task's submissions until the transaction ends. Other transactions wait before they count or add submissions
 * to the task.
 */
export async function lockSubmissions(tx: Transaction, taskId: Hex): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`submissions:${taskId}`}, 0))`
}
