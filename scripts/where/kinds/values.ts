import { lineAt, literal, type Place } from '../code.ts'
import { commentAbove } from '../comments.ts'
import { type Kind, listMentions, type Sources } from '../sources.ts'

/**
 * Kind of name: values in the constant lists of `protocol/`, which requests and answers contain. Examples:
 * `winner_only`, `pending_approval`.
 */
export const valueKind: Kind = {
  title: 'value of a list',
  names: ({ code }) => [...new Set(listsOf(code).flatMap(({ values }) => values))],
  rows: ({ code }, value) => [
    ...listsOf(code)
      .filter(({ values }) => values.includes(value))
      .flatMap(({ place, name, values }) => [
        { label: 'list', place, text: `${name}: ${values.join(', ')}` },
        { label: 'list', text: commentAbove(code, place).notice },
      ]),
    ...code
      .findAll(new RegExp(`^\\s+'?${literal(value)}'?: `, 'm'), 'protocol/', 'api/domain/', 'web/words/', 'src/')
      .map((place) => ({ label: 'table', place, text: code.linesOf(place.path)[place.line - 1]?.trim() ?? '' })),
    ...listMentions(code, new RegExp(`'${literal(value)}'`, 'm'), {
      label: 'used',
      folders: ['protocol/', 'src/', 'api/domain/', 'api/features/'],
    }),
    ...listMentions(code, new RegExp(`\`${literal(value)}\``, 'm'), {
      label: 'docs',
      folders: ['docs/learn/', 'docs/build/'],
    }),
  ],
}

interface ValueList {
  name: string
  place: Place
  values: string[]
}

/**
 * Finds the constant lists of strings in `protocol/`. The list of actions is left out, because actions are a kind of
 * name themselves.
 */
function listsOf(code: Sources['code']): ValueList[] {
  return code.paths
    .filter((path) => /^protocol\/.*[.]ts$/.test(path) && path !== 'protocol/actions.ts')
    .flatMap((path) => {
      const text = code.textOf(path)
      const lists = text.matchAll(/^export const (\w+) = \[((?:\s*'\w+',?)+)\s*\] as const/gm)
      return [...lists].map(({ 1: name = '', 2: items = '', index }) => ({
        name,
        place: { path, line: lineAt(text, index) },
        values: items.match(/\w+/g) ?? [],
      }))
    })
}
