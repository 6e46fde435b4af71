import { h } from '../dom.ts'
import type { SheetRow } from './sheet-words.ts'

/** Renders the rows of a payment sheet as a list. The row `In all` is highlighted. */
export function sheetRows(entries: readonly SheetRow[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    entries.map(([label, value]) => {
      const sum = label === 'In all' ? 'sum' : null
      return [h('dt', { class: sum }, label), h('dd', { class: sum }, value)]
    }),
  )
}
