import type { Outcome, Preview, Refusal } from '../writes/outcome.ts'
import { CliError, type Exit, exitOfStatus, exits, type Io } from './io.ts'
import { cleanText, shortId, shortTime, toSafeJson, toTable } from './text.ts'
import { showUnits, showUsdc } from './usdc.ts'

export interface Format {
  /** Prints JSON also on a terminal. */
  json: boolean
}

/** Prints one record: JSON, or its fields on a terminal. */
export function printRecord(io: Io, value: unknown, { json }: Format): void {
  if (!io.isTerminal || json || typeof value !== 'object' || value === null) {
    io.out(`${toSafeJson(value, io.isTerminal ? 2 : undefined)}\n`)
    return
  }
  for (const [name, field] of Object.entries(value)) {
    if (field === null || field === undefined) continue
    io.out(`${cleanText(name)}: ${cleanText(typeof field === 'string' ? field : toSafeJson(field))}\n`)
  }
}

/**
 * A column of a list on a terminal: a field, its title, and the unit of an amount. `token`: base units of the row's token, whose
 * decimals are in `tokenDecimals`. `average`: at most two decimals.
 */
export type Column = string | { field: string; as?: string; unit?: 'usdc' | 'token' | 'average' }

/**
 * Prints rows as they arrive. Output is one JSON a line, or a table on a terminal: amounts in USDC, times to the second, ids
 * shortened (`--wide`: in full), and no column that is empty in every row.
 */
export async function printRows(
  io: Io,
  rows: AsyncIterable<unknown>,
  { json, limit, columns, wide = false }: Format & { limit: number; columns: readonly Column[]; wide?: boolean },
): Promise<void> {
  const isTable = io.isTerminal && !json
  const kept: Record<string, unknown>[] = []
  let count = 0
  for await (const row of rows) {
    if (count++ >= limit) break
    const record = (row ?? {}) as Record<string, unknown>
    if (isTable) kept.push(toCells(record, columns, wide))
    else io.out(`${toSafeJson(row)}\n`)
  }
  if (isTable) io.out(`${kept.length === 0 ? 'none' : toTable(kept, io.width)}\n`)
}

function toCells(
  record: Record<string, unknown>,
  columns: readonly Column[],
  isWide: boolean,
): Record<string, unknown> {
  const cells = columns.map((column) => {
    const { field, as = field, unit } = typeof column === 'string' ? { field: column } : column
    const value = record[field]
    if (unit === 'token') return [as, showUnits(value, record.tokenDecimals)] as const
    if (unit === 'average') return [as, typeof value === 'number' ? Number(value.toFixed(2)) : value] as const
    if (unit === 'usdc') return [as, value === null || value === undefined ? '' : `${showUsdc(value)} USDC`] as const
    return [as, isWide ? shortTime(value) : shortTime(shortId(value))] as const
  })
  return Object.fromEntries(cells.filter(([, cell]) => cell !== null && cell !== undefined && cell !== ''))
}

/**
 * Prints the outcome of a write.
 * @throws CliError for every outcome but a completed one
 */
export function printOutcome(io: Io, outcome: Outcome<unknown> | Preview, format: Format): void {
  switch (outcome.kind) {
    case 'completed':
    case 'preview':
      printRecord(io, outcome, format)
      return
    case 'inFlight':
      throw new CliError(outcome.message, exits.inFlight, outcome)
    case 'unknown':
      throw new CliError(outcome.message, exits.unknown, outcome)
    case 'refused':
      throw new CliError(outcome.message, exitOfRefusal(outcome), outcome)
  }
}

const ownReasons: Record<string, Exit> = {
  long_task: exits.usage,
  invalid_input: exits.usage,
  no_account: exits.usage,
  idempotency_key_conflict: exits.usage,
  key_used_up: exits.usage,
  task_unreadable: exits.notFound,
  unknown_key: exits.notFound,
  signing_failed: exits.forbidden,
  wrong_withdrawal_address: exits.forbidden,
  no_withdrawal_address: exits.usage,
  unreachable: exits.unknown,
  unavailable: exits.unknown,
}

function exitOfRefusal({ reason, status }: Refusal): Exit {
  if (status === null) return ownReasons[reason] ?? exits.payment
  return reason.startsWith('payment_rejected') ? exits.payment : exitOfStatus(status)
}
