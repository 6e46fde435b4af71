import type { Outcome, Preview, Refusal } from '../writes/outcome.ts'
import { CliError, type Exit, exitOfStatus, exits, type Io } from './io.ts'
import { cleanText, shortId, shortTime, toSafeJson, toTable } from './text.ts'
import { showUnits, showUsdc } from './usdc.ts'

export interface Format {
  /** True to print JSON even on a terminal. */
  json: boolean
}

/** Prints one record as JSON, or on a terminal as one line for each field. */
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
 * A column of a list on a terminal: the record's field `field`, under the title `as`.
 *
 * `unit`: `usdc` is an amount in base units of USDC. `token` is an amount in base units of the row's token
 * (`tokenDecimals` decimals). `average` is a number, printed with at most two decimals.
 */
export type Column = string | { field: string; as?: string; unit?: 'usdc' | 'token' | 'average' }

/**
 * Prints rows as JSON lines when they arrive. On a terminal, prints one table at the end. The table shortens ids
 * (except with `--wide`) and omits empty columns.
 */
export async function printRows(
  io: Io,
  rows: AsyncIterable<unknown>,
  { json, limit, columns, wide = false }: Format & { limit: number; columns: readonly Column[]; wide?: boolean },
): Promise<void> {
  const isTable = io.isTerminal && !json
  const tableRows: Record<string, unknown>[] = []
  let count = 0
  for await (const row of rows) {
    if (count++ >= limit) break
    const record = (row ?? {}) as Record<string, unknown>
    if (isTable) tableRows.push(toCells(record, columns, wide))
    else io.out(`${toSafeJson(row)}\n`)
  }
  if (isTable) io.out(`${tableRows.length === 0 ? 'none' : toTable(tableRows, io.width)}\n`)
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
 * @throws CliError for every outcome except a completed write and a preview
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
