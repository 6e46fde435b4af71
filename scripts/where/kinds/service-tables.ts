import { literal } from '../code.ts'
import type { Kind, Row, Sources } from '../sources.ts'
import { readerRows } from './columns.ts'

/** Kind of name: tables, views and functions of the schema `service`. Example: `service.intents`. */
export const serviceTableKind: Kind = {
  title: 'table or function of the service',
  names: ({ code }) => {
    const createdTables = migrationsOf(code).flatMap((path) => [...code.textOf(path).matchAll(definition)])
    return [...new Set(createdTables.map(([, name = '']) => name))]
  },
  rows: (sources, name) => [
    ...changes(sources, name),
    ...readerRows(sources, name),
    ...sources.code
      .findAll(new RegExp(`\\b${literal(name)}\\b`, 'm'), 'docs/')
      .filter(({ path }) => path.endsWith('.md'))
      .slice(0, 4)
      .map((place) => ({ label: 'docs', place })),
  ],
}

const definition =
  /^\s*create (?:or replace )?(?:unlogged )?(?:table|view|materialized view|function)(?: if not exists)? (service[.]\w+)/gim

function migrationsOf(code: Sources['code']): string[] {
  return code.paths.filter((path) => /^api\/db\/migrations\/.*[.]sql$/.test(path))
}

/**
 * Lists the migrations that define or change a table, view or function, in their order. Changes of indexes and triggers
 * are left out.
 */
function changes({ code }: Sources, name: string): Row[] {
  const statement = new RegExp(
    `\\b(?:table|view|function|rename to)(?: if (?:not )?exists)?(?: only)? ${literal(name)}\\b`,
    'mi',
  )
  return code.findAll(statement, 'api/db/migrations/').map((place) => {
    const text = code.linesOf(place.path)[place.line - 1] ?? ''
    return { label: 'migration', place, text: text.trim().slice(0, 70) }
  })
}

/** Kind of name: SQL views for analysts. Example: `analytics.task`. */
export const analystViewKind: Kind = {
  title: 'view for analysts',
  names: ({ code }) =>
    code.paths.flatMap((path) => {
      const view = /^api\/db\/analytics\/(\w+)[.]sql$/.exec(path)?.[1]
      return view === undefined ? [] : [`analytics.${view}`]
    }),
  rows: ({ code }, name) => {
    const path = `api/db/analytics/${name.split('.')[1]}.sql`
    const sources = code.textOf(path).match(/\b(?:market|service|analytics)[.]\w+/g)
    return [
      { label: 'query', place: { path, line: 1 }, text: `reads ${[...new Set(sources)].join(', ')}` },
      { label: 'texts', place: { path: path.replace('.sql', '.json'), line: 1 } },
      {
        label: 'order',
        place: code.findAll(new RegExp(`'?\\b${name.split('.')[1]}\\b'?`, 'm'), 'api/db/analytics/views.ts')[0],
      },
    ].flatMap(({ place, ...row }) => (place === undefined ? [] : [{ ...row, place }]))
  },
}
