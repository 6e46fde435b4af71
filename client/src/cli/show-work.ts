import type { Io } from './io.ts'
import { readOfferedCommand } from './offered-command.ts'
import { cleanText, shortId, shortTime, toSafeJson, toTable } from './text.ts'
import { showUsdc } from './usdc.ts'

type Row = Record<string, unknown>

/**
 * Prints the action queue's entries that wait for another party, one line per entry. Each line is JSON, or text on a
 * terminal.
 */
export function showWaiting(io: Io, body: unknown, { json }: { json: boolean }): void {
  const entries = rowsOf(body, 'waiting')
  for (const entry of entries) {
    const task = toRow(entry.task)
    const deadlineClause = typeof entry.dueAt === 'string' ? `, until ${shortTime(entry.dueAt)}` : ''
    const line = cleanText(`${task.title} (as ${entry.role}: ${entry.reason}${deadlineClause})`)
    io.out(`${json ? toSafeJson(entry) : line}\n`)
  }
  if (entries.length === 0 && !json) io.out('nothing to wait for\n')
}

/**
 * Prints the action queue: one JSON line for each item. On a terminal, prints each task, followed by the commands that
 * the user can type.
 */
export function showActions(io: Io, body: unknown, { json }: { json: boolean }): void {
  const items = rowsOf(body, 'items')
  for (const item of items) {
    const task = toRow(item.task)
    const actions = rowsOf(item, 'actions').map((action) => ({
      ...action,
      command: readOfferedCommand(action.command, String(task.id)),
    }))
    if (json) {
      io.out(`${toSafeJson({ ...item, actions })}\n`)
      continue
    }
    const deadlineClause = typeof item.dueAt === 'string' ? `, until ${shortTime(item.dueAt)}` : ''
    io.out(
      `${cleanText(`${task.title} (${task.status}, ${showUsdc(task.reward)} USDC, as ${item.role}${deadlineClause})`)}\n`,
    )
    // Commands are printed in full.
    for (const { command } of actions) io.out(command === null ? FOREIGN : `  task-market ${command}\n`)
  }
  if (items.length === 0 && !json) io.out('nothing to do\n')
}

const FOREIGN = '  (the service offers a command that this tool does not have; it is not shown)\n'

/**
 * Prints the tasks of a wallet's inbox, one per line: as a table on a terminal, else as JSON. Each line also names the
 * section of the inbox that contains the task.
 */
export function showInbox(io: Io, body: unknown, { json }: { json: boolean }): void {
  const sections = Object.keys(toRow(body))
  const tasks = sections.flatMap((section) => rowsOf(body, section).map((task) => ({ section, ...task }) as Row))
  if (json) {
    for (const task of tasks) io.out(`${toSafeJson(task)}\n`)
    return
  }
  const rows = tasks.map(({ section, status, reward, id, description }) => ({
    section,
    status,
    reward: `${showUsdc(reward)} USDC`,
    id: shortId(id),
    description,
  }))
  io.out(`${rows.length === 0 ? 'none' : toTable(rows, io.width)}\n`)
}

/** Returns the named list from an answer; an empty list if the answer has no such list. */
function rowsOf(body: unknown, name: string): Row[] {
  const list = toRow(body)[name]
  return Array.isArray(list) ? list.map(toRow) : []
}

function toRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : {}
}
