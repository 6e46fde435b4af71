import type { Outcome, Preview, Refusal } from '../writes/outcome.ts'
import { CliError, type Exit, exitOfStatus, exits, type Io } from './io.ts'
import { cleanText, shortId, toSafeJson, toTable } from './text.ts'
import { showUsdc } from './usdc.ts'

export interface Format {
  /** JSON, also on a terminal. */
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

/** A column of a list on a terminal: the name of a field, and of an amount its unit. */
export type Column = string | { usdc: string }

/**
 * Prints rows as they come: one JSON a line, or on a terminal a table of some fields, with amounts in USDC, ids cut in the
 * middle (`--wide`: whole) and no column that is empty in every row.
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
    if (typeof column !== 'string') {
      const shown = showUsdc(record[column.usdc])
      return [column.usdc, shown === '' ? '' : `${shown} USDC`] as const
    }
    return [column, isWide ? record[column] : shortId(record[column])] as const
  })
  return Object.fromEntries(cells.filter(([, cell]) => cell !== null && cell !== undefined && cell !== ''))
}

/** Prints what a write came to. @throws CliError for every outcome but a completed one */
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
