import type { Outcome, Preview, Refusal } from '../writes/outcome.ts'
import { CliError, type Exit, exitOfStatus, exits, type Io } from './io.ts'
import { cleanText, toSafeJson, toTable } from './text.ts'

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
    io.out(`${cleanText(name)}: ${cleanText(typeof field === 'string' ? field : toSafeJson(field))}\n`)
  }
}

/** Prints rows as they come: one JSON a line, or a table on a terminal. */
export async function printRows(
  io: Io,
  rows: AsyncIterable<unknown>,
  { json, limit, columns }: Format & { limit: number; columns: readonly string[] },
): Promise<void> {
  const isTable = io.isTerminal && !json
  const kept: Record<string, unknown>[] = []
  let count = 0
  for await (const row of rows) {
    if (count++ >= limit) break
    const record = (row ?? {}) as Record<string, unknown>
    if (isTable) kept.push(Object.fromEntries(columns.map((name) => [name, record[name]])))
    else io.out(`${toSafeJson(row)}\n`)
  }
  if (isTable) io.out(`${kept.length === 0 ? 'none' : toTable(kept, io.width)}\n`)
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
