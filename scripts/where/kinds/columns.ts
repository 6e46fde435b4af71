import type { Place } from '../code.ts'
import type { Kind, Row, Sources } from '../sources.ts'
import { listMentions } from '../sources.ts'
import type { ColumnWrite, MarketTable } from '../table-writes.ts'
import { toColumn } from './events.ts'

/** Columns of the indexer's tables, in SQL: `task.status`. */
export const columnKind: Kind = {
  title: 'column',
  names: ({ tables }) =>
    tables.flatMap((table) => [...table.columns.keys()].map((column) => `${table.name}.${toColumn(column)}`)),
  rows: (sources, name) => {
    const [table, column] = find(sources, name)
    const place = table?.columns.get(column)
    if (table === undefined || place === undefined) return []
    return [
      { label: 'column', place, text: commentAbove(sources, place) },
      ...writerRows(sources, (write) => write.table === table.name && write.column === column),
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

/** Tables of the indexer: `task_entry`. */
export const marketTableKind: Kind = {
  title: 'table of the indexer',
  names: ({ tables }) => tables.map(({ name }) => name),
  rows: (sources, name) => {
    const table = sources.tables.find((candidate) => candidate.name === name)
    if (table === undefined) return []
    return [
      { label: 'table', place: table, text: commentAbove(sources, table) },
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

/** One row a declaration that writes, with the events whose handlers reach it. */
function writerRows({ writes }: Sources, isMeant: (write: ColumnWrite) => boolean): Row[] {
  const places = new Map<string, { place: Place; events: string[] }>()
  for (const [event, handler] of writes.handlers) {
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

function shortList(events: readonly string[]): string {
  return events.length <= 6
    ? events.join(', ')
    : `${events.slice(0, 5).join(', ')} and ${events.length - 5} more events`
}

/** The view of the history of tasks, which no handler writes. */
function viewRow({ code }: Sources, { name }: MarketTable): Row[] {
  const path = `src/views/${name.replaceAll('_', '-')}.ts`
  return code.paths.includes(path) ? [{ label: 'view', place: { path, line: 1 }, text: 'made of _task_history' }] : []
}

/** Rows of the page of tables. */
function documentRow({ code }: Sources, table: string): Row[] {
  const page = code.paths.find((path) => /^docs\/(?:.*\/)?tables[.]md$/.test(path)) ?? ''
  return code.findAll(new RegExp(`^#+ .*\\b${table}\\b`, 'm'), page).map((place) => ({ label: 'docs', place }))
}

/** Statements that name a table, a row for each file. */
export function readerRows({ code }: Sources, table: string): Row[] {
  // The schema of the indexer's tables may be left out.
  const name = table.replace('market.', '(?:market[.])?').replace(/(?<=service)[.]/, '[.]')
  const pattern = new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:only )?${name}\\b`, 'mi')
  const folders = code.paths.filter((path) => /^(api|graphql|ops)\/(?!db\/migrations).*[.](ts|sql)$/.test(path))
  return listMentions(code, pattern, { label: 'SQL', folders, most: 10 })
}

/** The text of the comment that ends in the line before a place. */
export function commentAbove({ code }: Sources, { path, line }: Place): string {
  const lines = code.linesOf(path)
  if (!/\*\/\s*$/.test(lines[line - 2] ?? '')) return ''
  let start = line - 2
  while (start > 0 && !/^\s*\/\*\*/.test(lines[start] ?? '')) start -= 1
  return lines
    .slice(start, line - 1)
    .map((text) => text.replace(/^\s*(\/\*\*|\*(?!\/))? ?|\s*\*\/\s*$/g, ''))
    .join(' ')
    .trim()
}
