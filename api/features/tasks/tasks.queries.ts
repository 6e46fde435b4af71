import type { Address, Hex } from 'viem'
import { keepingPlans, type Queryable } from '../../db/client.ts'
import { run, statement } from '../../db/statement-text.ts'
import { sharedVersion } from '../../read-model/indexed-head.queries.ts'
import { detailVersion } from './detail-version.queries.ts'
import { type TaskRow, taskColumns, taskTables } from './task-row.ts'

/** Returns a task with its `detailVersion`, or null if there is no such task. */
export async function findTask(sql: Queryable, taskId: Hex): Promise<(TaskRow & { detailVersion: string }) | null> {
  const rows = await sql<(TaskRow & { detailVersion: string })[]>`
    select ${taskColumns(sql)}, ${detailVersion(sql)} as detail_version from ${taskTables(sql)} where t.id = ${taskId}`
  return rows[0] ?? null
}

/**
 * Lists the rows of some tasks, in no particular order. The column `shared` of each row is the `sharedVersion`, which
 * is read by the same SQL statement.
 */
export async function listTaskRows(sql: Queryable, ids: readonly Hex[]): Promise<(TaskRow & { shared: string })[]> {
  if (ids.length === 0) return []
  return await run<(TaskRow & { shared: string })[]>(
    sql,
    statement`
      select ${taskColumns(statement)}, ${sharedVersion(statement)} as shared
      from ${taskTables(statement)} where t.id = any(${ids as Hex[]}::text[])`,
  )
}

/** Returns the id of the task with a reference code, or null if there is none. The code must be in upper case. */
export async function findTaskIdOfCode(sql: Queryable, code: string): Promise<Hex | null> {
  const rows = await keepingPlans(sql)<{ targetId: Hex }[]>`
    select target_id from reference_code where code = ${code} and kind = 'task'`
  return rows[0]?.targetId ?? null
}

export interface AwardRow {
  worker: Address
  rank: number
  grossAmount: bigint
  workerPayment: bigint
  platformFee: bigint
  transactionHash: Hex
  settledAt: bigint
  rating: number | null
  /** The worker's ERC-8004 id, or null if the worker has none. */
  agentId: bigint | null
}

/** Lists a task's awards in the order of their rank. There are at most 50, because the contract refuses more. */
export async function listAwards(sql: Queryable, taskId: Hex): Promise<AwardRow[]> {
  return await sql<AwardRow[]>`
    select w.worker, w.rank, w.gross_amount, w.worker_payment, w.platform_fee, w.transaction_hash, w.settled_at,
      w.rating, a.agent_id
    from award w
    left join agent a on a.address = w.worker
    where w.task_id = ${taskId}
    order by w.rank`
}
