import { entryOf } from '../entries.ts'
import { detailsOf } from '../refusals.ts'
import { admission, ruleRows, rulesOf } from '../rules.ts'
import { fieldOf, type Kind, listUses } from '../sources.ts'

const names = 'protocol/actions.ts'

/** Kind of name: actions that a task offers, and the rules for them. Example: `accept`. */
export const actionKind: Kind = {
  title: 'action and its rules',
  names: ({ code }) => [...code.textOf(names).matchAll(/^ {2}'(\w+)',$/gm)].map(([, name = '']) => name),
  rows: (sources, action) => {
    const rules = rulesOf(sources, action)
    const entries = entryOf(sources, ({ text }) => fieldOf(text, 'action') === action)
    return [
      ...sources.code.findAll(new RegExp(`^ {2}'${action}',`, 'm'), names).map((place) => ({ label: 'name', place })),
      ...ruleRows(sources, rules),
      { label: 'details', text: detailsOf(sources, [...rules, ...admission(sources)]).join(', ') },
      ...entries.map((entry) => ({
        label: 'write',
        place: entry,
        text: `POST ${fieldOf(entry.text, 'path')}: ${fieldOf(entry.text, 'name')}`,
      })),
      ...listUses(sources.code, action, {
        label: 'named',
        folders: ['api/domain/worklists/', 'web/act/', 'web/islands/', 'client/src/actions/'],
      }),
      ...listUses(sources.code, `${action}`, {
        label: 'tests',
        folders: ['test/unit/domain/actions/', 'test/chain/rules/attempts/'],
      }),
    ]
  },
}
