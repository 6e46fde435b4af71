import { entryOf } from '../entries.ts'
import { listAbiNames } from '../solidity.ts'
import { fieldOf, type Kind, listMentions, type Row, type Sources } from '../sources.ts'
import { declaredRows, eventRows } from './events.ts'

/** Kind of name: functions of the contracts that change state. Example: `acceptSubmission`. */
export const functionKind: Kind = {
  title: 'function of a contract',
  names: ({ contracts }) => [
    ...new Set([...contracts.entries.keys()].flatMap((entry) => [entry, entry.split('.')[1] ?? ''])),
  ],
  rows: (sources, name) => [
    ...declaredRows(sources, 'function', name.split('.').at(-1) ?? name),
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

/**
 * Returns the rows for a call of a contract's function: its place, the functions that it calls, its events with their
 * handlers, and its errors.
 */
export function callRows(sources: Sources, name: string, wholeName?: string): Row[] {
  const { contracts } = sources
  const entries = [...contracts.entries].filter(([entry]) =>
    wholeName === undefined ? entry.endsWith(`.${name}`) : entry === wholeName,
  )
  return entries.flatMap(([entry, entryDeclaration]) => {
    const reachedCode = contracts.reach(entryDeclaration)
    const library = reachedCode.functions.find(
      (calledFunction) => calledFunction !== entryDeclaration && calledFunction.name === name,
    )
    return [
      { label: 'contract', place: entryDeclaration, text: entry },
      ...(library === undefined
        ? []
        : [{ label: 'contract', place: library, text: `${library.owner}.${library.name}` }]),
      ...eventRows(sources, reachedCode),
      { label: 'reverts', text: [...reachedCode.errors.keys()].join(', ') },
    ]
  })
}

/** Kind of name: errors of the contracts. Example: `WrongStatus`. */
export const errorKind: Kind = {
  title: 'error of a contract',
  names: ({ code }) => listAbiNames(code, 'error'),
  rows: (sources, name) => {
    const { code, contracts } = sources
    const reachingEntries = [...contracts.entries]
      .filter(([, entry]) => contracts.reach(entry).errors.has(name))
      .map(([entry]) => entry)
    return [
      ...declaredRows(sources, 'error', name),
      ...code
        .findAll(new RegExp(`\\brevert (?:\\w+[.])?${name}\\(|, (?:\\w+[.])?${name}\\(`, 'm'), 'contracts/src/')
        .map((place) => ({ label: 'reverts', place })),
      { label: 'calls', text: reachingEntries.join(', ') },
      ...code.findAll(new RegExp(`\\b${name}\\b`, 'm'), 'api/chain/').map((place) => ({ label: 'sentence', place })),
    ]
  },
}
