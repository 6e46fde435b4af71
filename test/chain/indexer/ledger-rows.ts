import type postgres from 'postgres'
import type { Hex } from 'viem'
import { listOperationSelectors } from '../../support/operation-selectors.ts'

/** A row of the ledger. */
export interface LedgerRow {
  id: string
  blockNumber: bigint
  /** Unix seconds. */
  at: bigint
  tx: Hex
  logIndex: number
  asset: string
  kind: string
  from: string
  to: string
  amount: bigint
  units: string | null
  taskId: Hex | null
  /** Selector of the relayed call. */
  operation: Hex | null
}

/** `analytics.ledger` names calls; the chain has their selectors. */
const selectors = new Map(listOperationSelectors().map(({ operation, selector }) => [operation, selector]))

/**
 * Reads all rows of a view, or of a query in its place.
 * Example: `readLedger(sql, 'analytics.ledger')`
 */
export async function readLedger(sql: postgres.Sql | postgres.TransactionSql, source: string): Promise<LedgerRow[]> {
  const rows = await sql.unsafe(`
    SELECT id, block_number, extract(epoch FROM at)::int8 AS seconds, tx_hash, log_index, asset, kind, from_account, to_account,
      amount::text, amount_units::text, task_id, operation
    FROM ${source} AS ledger`)
  return rows.map((row) => ({
    id: row.id,
    blockNumber: BigInt(row.block_number),
    at: BigInt(row.seconds),
    tx: row.tx_hash,
    logIndex: row.log_index,
    asset: row.asset,
    kind: row.kind,
    from: row.from_account,
    to: row.to_account,
    amount: BigInt(row.amount),
    units: row.amount_units,
    taskId: row.task_id,
    operation: selectors.get(row.operation) ?? row.operation,
  }))
}

/** Balances of internal accounts, by `<asset> <account>`. */
export function sumAccounts(rows: readonly LedgerRow[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { asset, from, to, amount } of rows) {
    sums.set(`${asset} ${from}`, (sums.get(`${asset} ${from}`) ?? 0n) - amount)
    sums.set(`${asset} ${to}`, (sums.get(`${asset} ${to}`) ?? 0n) + amount)
  }
  return new Map([...sums].filter(([key]) => /[:_]/.test(key)))
}
