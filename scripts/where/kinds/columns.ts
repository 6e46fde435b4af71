import type { Place } from '../code.ts'
import { commentAbove } from '../comments.ts'
import type { Kind, Row, Sources } from '../sources.ts'
import { listMentions } from '../sources.ts'
import type { ColumnWrite, MarketTable } from '../table-writes.ts'
import { toColumn } from './events.ts'

/** Kind of name: columns of the indexer's tables, in SQL. Example: `task.status`. */
export const columnKind: Kind = {
  title: 'column',
  names: ({ tables }) =>
    tables.flatMap((table) => [...table.columns.keys()].map((column) => `${table.name}.${toColumn(column)}`)),
  rows: (sources, name) => {
    const [table, column] = find(sources, name)
    const place = table?.columns.get(column)
    if (table === undefined || place === undefined) return []
    return [
      { label: 'column', place, text: commentAbove(sources.code, place).whole },
      ...writerRows(sources, (write) => write.table === table.name && write.column === column),
      ...columnReaders(sources, table, column),
      ...viewRow(sources, table),
      ...documentRow(sources, table.name),
      ...listMentions(sources.code, new RegExp(`\\b${toColumn(column)}\\b`, 'm'), {
        label: 'analysts',
        folders: ['api/db/analytics/'],
        most: 4,
      }),
    ]
  },
}

/** Kind of name: tables of the indexer. Example: `task_entry`. */
export const marketTableKind: Kind = {
  title: 'table of the indexer',
  names: ({ tables }) => tables.map(({ name }) => name),
  rows: (sources, name) => {
    const table = sources.tables.find((candidate) => candidate.name === name)
    if (table === undefined) return []
    return [
      { label: 'table', place: table, text: commentAbove(sources.code, table).whole },
      { label: 'columns', text: [...table.columns.keys()].map(toColumn).join(', ') },
      ...writerRows(sources, (write) => write.table === name),
      ...viewRow(sources, table),
      ...documentRow(sources, name),
      ...readerRows(sources, `market.${name}`),
    ]
  },
}

function find({ tables }: Sources, name: string): [MarketTable | undefined, string] {
  const [tableName = '', column = ''] = name.split('.')
  const table = tables.find((candidate) => candidate.name === tableName)
  return [table, [...(table?.columns.keys() ?? [])].find((key) => toColumn(key) === column) ?? '']
}

/** Returns one row for each file that writes the meant columns, with the events whose handlers write there. */
function writerRows({ writes }: Sources, isMeant: (write: ColumnWrite) => boolean): Row[] {
  const places = new Map<string, { place: Place; events: string[] }>()
  for (const [event, handler] of nearestFirst(writes, isMeant)) {
    const meantWrites = new Map(
      writes
        .writesOf(handler)
        .filter(isMeant)
        .map((write) => [write.path, write]),
    )
    for (const { path, line } of meantWrites.values()) {
      const writer = places.get(path) ?? { place: { path, line }, events: [] }
      writer.events.push(event.split(':')[1] ?? event)
      places.set(path, writer)
    }
  }
  return [...places.values()].map(({ place, events }) => ({
    label: 'written',
    place,
    text: shortList([...new Set(events)]),
  }))
}

/**
 * Sorts the event handlers. First come handlers whose own file writes the meant columns, then those whose own file
 * writes other columns of the same tables, and then all others.
 */
function nearestFirst({ handlers, writesOf }: Sources['writes'], isMeant: (write: ColumnWrite) => boolean) {
  const ranked = [...handlers].map((handler) => {
    const [, declaration] = handler
    const written = writesOf(declaration)
    const tables = new Set(written.filter(isMeant).map(({ table }) => table))
    const ownWrites = written.filter(({ path, table }) => path === declaration.path && tables.has(table))
    return { handler, rank: ownWrites.some(isMeant) ? 0 : ownWrites.length > 0 ? 1 : 2 }
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ handler }) => handler)
}

function shortList(events: readonly string[]): string {
  return events.length <= 6
    ? events.join(', ')
    : `${events.slice(0, 5).join(', ')} and ${events.length - 5} more events`
}

/**
 * Lists the files that read a column. If the column's name is a single word, a file counts only if the word is a
 * property of a row of this table, or if it stands in an SQL statement about the table. A name of several words is
 * unique enough.
 */
function columnReaders({ code }: Sources, table: MarketTable, column: string): Row[] {
  const snake = toColumn(column)
  const isOneWord = snake === column
  const row = `(?:row|${table.constant}|${table.name.split('_').at(-1)})`
  const member = new RegExp(isOneWord ? `\\b${row}[?]?[.]${column}\\b` : `\\b(?:${column}|${snake})\\b`, 'm')
  const inStatement = new RegExp(`(?:[.]|^\\s*|, )${snake}\\b`, 'm')
  const statement = statementOf(`market.${table.name}`)
  const folders = code.paths.filter((path) =>
    /^(api\/(features|read-model|domain)|web(?!\/generated))\/.*[.](ts|sql)$/.test(path),
  )
  const [statements, others] = [true, false].map((isMeant) =>
    folders.filter((path) => statement.test(code.textOf(path)) === isMeant),
  )
  return [
    ...listMentions(code, isOneWord ? inStatement : member, { label: 'readers', folders: statements ?? [], most: 5 }),
    ...listMentions(code, member, { label: 'readers', folders: others ?? [], most: 5 }),
  ]
}

/** Returns the view of the history of tasks. No handler writes this view. */
function viewRow({ code }: Sources, { name }: MarketTable): Row[] {
  const path = `src/views/${name.replaceAll('_', '-')}.ts`
  return code.paths.includes(path) ? [{ label: 'view', place: { path, line: 1 }, text: 'made of _task_history' }] : []
}

/** Returns the headings about a table in the page of tables. */
function documentRow({ code }: Sources, table: string): Row[] {
  const page = code.paths.find((path) => /^docs\/(?:.*\/)?tables[.]md$/.test(path)) ?? ''
  return code.findAll(new RegExp(`^#+ .*\\b${table}\\b`, 'm'), page).map((place) => ({ label: 'docs', place }))
}

/** Lists the files whose SQL statements name a table, one row for each file. */
export function readerRows({ code }: Sources, table: string): Row[] {
  const folders = code.paths.filter((path) => /^(api|graphql|ops)\/(?!db\/migrations).*[.](ts|sql)$/.test(path))
  return listMentions(code, statementOf(table), { label: 'SQL', folders, most: 10 })
}

/** Returns a pattern for SQL statements that name a table. The table's schema may be left out. */
function statementOf(table: string): RegExp {
  const name = table.replace(/^(market|service)[.]/, '(?:$1[.])?')
  return new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:only )?${name}\\b`, 'mi')
}
