import { entryOf } from '../entries.ts'
import { findSolidity, listAbiNames } from '../solidity.ts'
import { fieldOf, type Kind, listMentions, type Row, type Sources } from '../sources.ts'
import { eventRows } from './events.ts'

/** Functions of the contracts that change state: `acceptSubmission`. */
export const functionKind: Kind = {
  title: 'function of a contract',
  names: ({ contracts }) => [
    ...new Set([...contracts.entries.keys()].flatMap((entry) => [entry, entry.split('.')[1] ?? ''])),
  ],
  rows: (sources, name) => [
    ...callRows(sources, name.split('.').at(-1) ?? name, name.includes('.') ? name : undefined),
    ...entryOf(sources, ({ text }) => text.includes(`Call('${name.split('.').at(-1)}')`)).map((entry) => ({
      label: 'write',
      place: entry,
      text: `POST ${fieldOf(entry.text, 'path')}`,
    })),
    ...listMentions(sources.code, new RegExp(`\\b${name.split('.').at(-1)}\\b`, 'm'), {
      label: 'docs',
      folders: ['docs/'],
      most: 4,
    }),
    { label: 'tests', text: 'contracts/test/<operation>/<operation>.tree and the .t.sol beside it' },
  ],
}

/** Rows of a call of a contract: where it is, what it calls, its events with their handlers, its errors. */
export function callRows(sources: Sources, name: string, whole?: string): Row[] {
  const { contracts } = sources
  const entries = [...contracts.entries].filter(([entry]) =>
    whole === undefined ? entry.endsWith(`.${name}`) : entry === whole,
  )
  return entries.flatMap(([entry, declared]) => {
    const reached = contracts.reach(declared)
    const library = reached.functions.find((called) => called !== declared && called.name === name)
    return [
      { label: 'contract', place: declared, text: entry },
      ...(library === undefined
        ? []
        : [{ label: 'contract', place: library, text: `${library.owner}.${library.name}` }]),
      ...eventRows(sources, reached),
      { label: 'reverts', text: [...reached.errors.keys()].join(', ') },
    ]
  })
}

/** Errors of the contracts: `WrongStatus`. */
export const errorKind: Kind = {
  title: 'error of a contract',
  names: ({ code }) => listAbiNames(code, 'error'),
  rows: (sources, name) => {
    const { code, contracts } = sources
    const reaching = [...contracts.entries]
      .filter(([, entry]) => contracts.reach(entry).errors.has(name))
      .map(([entry]) => entry)
    return [
      ...[findSolidity(code, 'error', name)].flatMap((place) =>
        place === undefined ? [] : [{ label: 'declared', place }],
      ),
      ...code
        .findAll(new RegExp(`\\brevert (?:\\w+[.])?${name}\\(|, (?:\\w+[.])?${name}\\(`, 'm'), 'contracts/src/')
        .map((place) => ({ label: 'reverts', place })),
      { label: 'calls', text: reaching.join(', ') },
      ...code.findAll(new RegExp(`\\b${name}\\b`, 'm'), 'api/chain/').map((place) => ({ label: 'sentence', place })),
    ]
  },
}
