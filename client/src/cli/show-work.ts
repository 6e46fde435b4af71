import type { Io } from './io.ts'
import { readOfferedCommand } from './offered-command.ts'
import { cleanText, shortId, shortTime, toSafeJson, toTable } from './text.ts'
import { showUsdc } from './usdc.ts'

type Row = Record<string, unknown>

/** Prints the queue entries that wait for another party: one JSON a line, or one line each on a terminal. */
export function showWaiting(io: Io, body: unknown, { json }: { json: boolean }): void {
  const entries = rowsOf(body, 'waiting')
  for (const entry of entries) {
    const task = toRow(entry.task)
    const due = typeof entry.dueAt === 'string' ? `, until ${shortTime(entry.dueAt)}` : ''
    const line = cleanText(`${task.title} (as ${entry.role}: ${entry.reason}${due})`)
    io.out(`${json ? toSafeJson(entry) : line}\n`)
  }
  if (entries.length === 0 && !json) io.out('nothing to wait for\n')
}

/**
 * Prints the action queue: one JSON a line for each task, role and intent; on a terminal each task with the commands to type
 * below it.
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
    const due = typeof item.dueAt === 'string' ? `, until ${shortTime(item.dueAt)}` : ''
    io.out(`${cleanText(`${task.title} (${task.status}, ${showUsdc(task.reward)} USDC, as ${item.role}${due})`)}\n`)
    // Commands are printed in full.
    for (const { command } of actions) io.out(command === null ? FOREIGN : `  task-market ${command}\n`)
  }
  if (items.length === 0 && !json) io.out('nothing to do\n')
}

const FOREIGN = '  (the service offers a command that this tool does not have; it is not shown)\n'

/** Prints the tasks of a wallet: one JSON a line with its section, or one task a line on a terminal. */
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

/** Returns a list within an answer; empty when the answer has another form. */
function rowsOf(body: unknown, name: string): Row[] {
  const list = toRow(body)[name]
  return Array.isArray(list) ? list.map(toRow) : []
}

function toRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : {}
}
