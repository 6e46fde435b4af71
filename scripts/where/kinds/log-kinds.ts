import { literal, type Place } from '../code.ts'
import { commentAbove } from '../comments.ts'
import { fieldOf, type Kind, listEntries, listMentions, type Row, type Sources } from '../sources.ts'
import { handlerRows } from './events.ts'

const table = 'api/events/event-kinds.ts'
const page = 'docs/build/events.md'

/** Kind of name: kinds of entries in the log of changes. Examples: `task.created`, `reverted`. */
export const logKind: Kind = {
  title: 'kind of the log of changes',
  names: ({ code }) => [...entriesOf(code).map(({ name }) => name), ...besides(code)],
  rows: (sources, name) => {
    const { code } = sources
    return [
      ...kindRows(sources, name),
      { label: 'fields', text: fieldsOf(code, name).join(', ') },
      ...named(code, new RegExp(`kind: '${literal(name)}'`, 'm'), 'appended', 'api/events/'),
      ...functionRows(sources, 'api/events/append-events.ts', 'appended'),
      ...named(code, new RegExp(`^### ${literal(name)}$`, 'm'), 'docs', page),
      ...functionRows(sources, 'api/events/webhooks/deliver.ts', 'webhooks'),
      ...functionRows(sources, 'api/features/events/list-events.ts', 'stream'),
      ...functionRows(sources, 'api/events/read-events.ts', 'seen by'),
      ...listMentions(code, new RegExp(`'${literal(name)}'`, 'm'), { label: 'tests', folders: ['test/'] }),
    ]
  },
}

function entriesOf(code: Sources['code']) {
  return listEntries(code, table, /\w+[.]\w+/)
}

/** Returns the kinds of entries that no row of a table causes. Only the list of all kinds contains them. */
function besides(code: Sources['code']): string[] {
  const list = /eventKindNames = \[(.*)\]/.exec(code.textOf(table))?.[1] ?? ''
  return [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
}

/**
 * Returns the meaning of a kind of entry, and the event that causes it. For a kind that no row of a table causes,
 * returns the comment above the list of all kinds.
 */
function kindRows(sources: Sources, name: string): Row[] {
  const { code } = sources
  const entry = entriesOf(code).find((candidate) => candidate.name === name)
  if (entry === undefined) {
    return code
      .findAll(/eventKindNames = /m, table)
      .map((place) => ({ label: 'kind', place, text: commentAbove(code, place).notice }))
  }
  const source = fieldOf(entry.text, 'source') ?? ''
  return [
    { label: 'kind', place: entry, text: fieldOf(entry.text, 'meaning') ?? '' },
    { label: 'source', text: source },
    ...handlerRows(sources, source).filter(({ label, place }) => label === 'handler' && place !== undefined),
  ]
}

/**
 * Returns the fields of `data` in an entry of this kind. They are read from the kind's section in the page of events.
 */
function fieldsOf(code: Sources['code'], name: string): string[] {
  const [, section = ''] = code.textOf(page).split(new RegExp(`^### ${literal(name)}$`, 'm'))
  return [...(section.split(/^#/m)[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, field = '']) => field)
}

function named(code: Sources['code'], pattern: RegExp, label: string, folder: string): Row[] {
  return code.findAll(pattern, folder).map((place) => ({ label, place }))
}

/** Returns the first function that a file exports, with the first sentence of its comment. */
function functionRows({ code }: Sources, path: string, label: string): Row[] {
  const places: Place[] = code.findAll(/^export (?:(?:async )?function|const [a-z])/m, path)
  return places.slice(0, 1).map((place) => ({ label, place, text: commentAbove(code, place).firstSentence }))
}
