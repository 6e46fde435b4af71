import type postgres from 'postgres'
import type { Hex } from 'viem'
import { expect } from 'vitest'
import type { MarketLogs } from './market-logs.ts'

/** The history of every task against the chain's logs: names, order, positions and arguments. */
export async function expectHistoryEqual({ sql, logs }: { sql: postgres.Sql; logs: MarketLogs }): Promise<void> {
  const rows = await sql`SELECT * FROM market.task_event ORDER BY block_number, log_index`
  const taskLogs = logs.market.filter((log) => 'taskId' in log.args)
  expect(rows.map(describeRow)).toEqual(taskLogs.map(describeLog))

  const ordinals = new Map<string, number>()
  for (const row of rows) {
    expect(row.ordinal).toBe(ordinals.get(row.task_id) ?? 0)
    expect(row.id).toBe(`${row.task_id}:${row.ordinal}`)
    ordinals.set(row.task_id, row.ordinal + 1)
  }

  const others = await sql`SELECT ordinal, name, contract FROM market.market_event ORDER BY ordinal`
  expect(others.flatMap((row) => (row.contract === 'bonus' ? [] : [row.name]))).toEqual(logs.others)
  expect(others.map((row) => row.ordinal)).toEqual(others.map((_, index) => index))
}

function describeRow(row: postgres.Row) {
  return {
    name: row.name,
    taskId: row.task_id,
    args: row.args,
    blockNumber: BigInt(row.block_number),
    blockTimestamp: BigInt(row.block_timestamp),
    transactionHash: row.transaction_hash,
    transactionIndex: row.transaction_index,
    logIndex: row.log_index,
  }
}

function describeLog(log: MarketLogs['market'][number]) {
  const { taskId, ...args } = log.args as { taskId: Hex }
  return {
    name: log.eventName,
    taskId,
    args: toPlain(args),
    blockNumber: log.blockNumber,
    blockTimestamp: log.blockTimestamp,
    transactionHash: log.transactionHash,
    transactionIndex: log.transactionIndex,
    logIndex: log.logIndex,
  }
}

/** Fields that Solidity declares wider than 32 bits but viem returns as numbers. */
const times = [
  'createdAt',
  'expiryTime',
  'pitchDeadline',
  'bidDeadline',
  'phaseDeadline',
  'appealDeadline',
  'resolutionDeadline',
  'evaluationWindow',
  'appealWindow',
]

function toPlain(value: unknown, name = ''): unknown {
  if (typeof value === 'bigint' || times.includes(name)) return String(value)
  if (Array.isArray(value)) return value.map((item) => toPlain(item))
  if (typeof value === 'string') return value.startsWith('0x') ? value.toLowerCase() : value.replaceAll('\0', '\ufffd')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item, key)]))
}
