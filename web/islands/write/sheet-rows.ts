import { h } from '../dom.ts'
import type { SheetRow } from './sheet-words.ts'

/** The lines of a payment sheet on the page. */
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
