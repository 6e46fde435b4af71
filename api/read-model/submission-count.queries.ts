import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'

/** A worker's submissions to a task. */
export interface SubmissionCount {
  /** The submissions without proofs, which are always paid and use no free allowance. */
  ordinary: number
  /** The submissions with proofs. */
  total: number
  /** The free ones of all workers to the task that this service relayed; counted up to MOST_COUNTED. */
  freeOfTask: number
}

/** The most free submissions of a task. */
const MOST_COUNTED = 1_000

/**
 * Counts the submissions of a worker to a task that are anchored, or bound and not failed. A relayed one counts once,
 * indexed or not.
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

/** Returns true if a free submission of the worker to the task, which has not failed, was signed with its files. */
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

/** Locks counting and adding submissions to a task until the transaction ends. */
export async function lockSubmissions(tx: Transaction, taskId: Hex): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`submissions:${taskId}`}, 0))`
}
