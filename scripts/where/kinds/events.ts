import { commentAbove } from '../comments.ts'
import type { Declaration } from '../declarations.ts'
import { findSolidity, listAbiNames, type Reached } from '../solidity.ts'
import { type Kind, listMentions, type Row, type Sources } from '../sources.ts'

/** Kind of name: events of the contracts, with the names of `abis/`. Example: `TaskCompleted`. */
export const eventKind: Kind = {
  title: 'event',
  names: ({ code }) => listAbiNames(code, 'event'),
  rows: (sources, name) => [
    ...declaredRows(sources, 'event', name),
    ...emitters(sources, name),
    ...handlerRows(sources, name),
    ...listMentions(sources.code, new RegExp(`\\b${name}\\b`, 'm'), { label: 'tests', folders: ['test/'] }),
    ...listMentions(sources.code, new RegExp(`\\b${name}\\b`, 'm'), { label: 'docs', folders: ['docs/'] }),
  ],
}

/** Returns the place where the contracts declare a name, and the text of its `@notice`. */
export function declaredRows({ code }: Sources, kind: 'event' | 'function' | 'error', name: string): Row[] {
  const place = findSolidity(code, kind, name)
  if (place === undefined) return [{ label: 'declared', text: 'in another contract: abis/' }]
  return [{ label: 'declared', place, text: commentAbove(code, place).notice }]
}

/** Returns the line that emits an event, and the functions of contracts that lead to this line. */
function emitters({ contracts }: Sources, name: string): Row[] {
  const entries = [...contracts.entries].map(([entry, calledFunction]) => ({
    entry,
    event: contracts.reach(calledFunction).events.get(name),
  }))
  const reachingEntries = entries.filter(({ event }) => event !== undefined)
  const [first] = reachingEntries
  if (first?.event === undefined) return []
  const names = [...new Set(reachingEntries.map(({ entry }) => entry))]
  return [{ label: 'emitted', place: first.event, text: `by ${names.join(', ')}` }]
}

/** Returns the handlers of an event, each followed by the tables and columns that it writes. */
export function handlerRows({ writes, tables }: Sources, name: string): Row[] {
  const handlers = [...writes.handlers].filter(([event]) => event.split(':')[1] === name)
  if (handlers.length === 0) return [{ label: 'handler', text: `none: the indexer does not read ${name}` }]
  return handlers.flatMap(([event, handler]) => [
    { label: 'handler', place: handler, text: event },
    ...writtenTables(
      writes.writesOf(handler),
      tables.map((table) => table.name),
    ),
  ])
}

function writtenTables(writes: readonly { table: string; column: string }[], tables: readonly string[]): Row[] {
  return tables.flatMap((table) => {
    const columns = [...new Set(writes.filter((write) => write.table === table).map(({ column }) => toColumn(column)))]
    return columns.length === 0 ? [] : [{ label: 'writes', text: `${table}: ${shorten(columns)}` }]
  })
}

function shorten(names: readonly string[], maximum = 9): string {
  return names.length <= maximum
    ? names.join(', ')
    : `${names.slice(0, maximum - 1).join(', ')} and ${names.length - maximum + 1} more`
}

/**
 * Converts the name of a column in the code to its name in SQL. Example: `toColumn('createdAtMs')` returns
 * `created_at_ms`.
 */
export function toColumn(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Returns a row with the handlers for each event that a call can emit. */
export function eventRows({ writes }: Sources, { events }: Reached): Row[] {
  return [...events].flatMap(([name]): Row[] => {
    const handlers: Declaration[] = [...writes.handlers].flatMap(([event, handler]) =>
      event.split(':')[1] === name ? [handler] : [],
    )
    const [handler] = handlers
    if (handler === undefined) return [{ label: 'event', text: `${name}, which the indexer does not read` }]
    const tables = [...new Set(writes.writesOf(handler).map(({ table }) => table))]
    return [{ label: 'event', place: handler, text: `${name} -> ${tables.join(', ')}` }]
  })
}
