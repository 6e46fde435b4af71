import type { Io } from './io.ts'
import { readOfferedCommand } from './offered-command.ts'
import { cleanText, shortId, shortTime, toSafeJson, toTable } from './text.ts'
import { showUsdc } from './usdc.ts'

type Row = Record<string, unknown>

/** Entries of the queue that another party must act on first: one JSON a line, or for a person one line each. */
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

/** The action queue: one JSON a line, one for each task, role and intent; or for a person, each task and below it what to type. */
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
    // Commands are never cut.
    for (const { command } of actions) io.out(command === null ? FOREIGN : `  task-market ${command}\n`)
  }
  if (items.length === 0 && !json) io.out('nothing to do\n')
}

const FOREIGN = '  (the service offers a command that this tool does not have; it is not shown)\n'

/** The tasks of a wallet: one JSON a line with its section, or for a person one task a line. */
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

/** A list within an answer; empty where a service sends something else. */
function rowsOf(body: unknown, name: string): Row[] {
  const list = toRow(body)[name]
  return Array.isArray(list) ? list.map(toRow) : []
}

function toRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : {}
}
