import type { Address, Hex } from 'viem'
import { keepingPlans, type Queryable } from '../../db/client.ts'
import { run, statement } from '../../db/statement-text.ts'
import { sharedVersion } from '../../read-model/indexed-head.queries.ts'
import { detailVersion } from './detail-version.queries.ts'
import { type TaskRow, taskColumns, taskTables } from './task-row.ts'

/** Returns a task with the version of its detail, or null. */
export async function findTask(sql: Queryable, taskId: Hex): Promise<(TaskRow & { detailVersion: string }) | null> {
  const rows = await sql<(TaskRow & { detailVersion: string })[]>`
    select ${taskColumns(sql)}, ${detailVersion(sql)} as detail_version from ${taskTables(sql)} where t.id = ${taskId}`
  return rows[0] ?? null
}

/** Lists these tasks with their `sharedVersion`, in no order. */
export async function listTaskRows(sql: Queryable, ids: readonly Hex[]): Promise<(TaskRow & { shared: string })[]> {
  if (ids.length === 0) return []
  return await run<(TaskRow & { shared: string })[]>(
    sql,
    statement`
      select ${taskColumns(statement)}, ${sharedVersion(statement)} as shared
      from ${taskTables(statement)} where t.id = any(${ids as Hex[]}::text[])`,
  )
}

/** Returns the task of a reference code (upper case), or null. */
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
  /** The ERC-8004 id of the worker; null: a human. */
  agentId: bigint | null
}

/** Lists a task's awards by rank: at most 50, which the contract enforces. */
export async function listAwards(sql: Queryable, taskId: Hex): Promise<AwardRow[]> {
  return await sql<AwardRow[]>`
    select w.worker, w.rank, w.gross_amount, w.worker_payment, w.platform_fee, w.transaction_hash, w.settled_at,
      w.rating, a.agent_id
    from award w
    left join agent a on a.address = w.worker
    where w.task_id = ${taskId}
    order by w.rank`
}
