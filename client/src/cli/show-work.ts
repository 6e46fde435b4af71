import type { components } from '../api/openapi.ts'
import type { Io } from './io.ts'
import { cleanText, toTable } from './text.ts'
import { toUsdc } from './usdc.ts'

/** The action queue for a person: each task, and below it what to type. Commands are never cut. */
export function showActions(io: Io, body: unknown): void {
  const { items } = body as components['schemas']['ActionQueue']
  for (const { task, role, dueAt, actions } of items) {
    const due = dueAt === null ? '' : `, until ${dueAt}`
    io.out(`${cleanText(`${task.title} (${task.status}, ${toUsdc(task.reward)} USDC, as ${role}${due})`)}\n`)
    for (const { command } of actions) io.out(`  task-market ${cleanText(command)}\n`)
  }
  if (items.length === 0) io.out('nothing to do\n')
}

/** The tasks of a wallet for a person, one a line. */
export function showInbox(io: Io, body: unknown): void {
  const sections = Object.entries(body as components['schemas']['Inbox'])
  const rows = sections.flatMap(([section, tasks]) =>
    tasks.map(({ id, status, reward, description }) => ({
      section,
      status,
      reward: `${toUsdc(reward)} USDC`,
      id,
      description,
    })),
  )
  io.out(`${rows.length === 0 ? 'none' : toTable(rows, io.width)}\n`)
}
