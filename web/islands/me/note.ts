import { h } from '../dom.ts'

/** A sentence in the place of what cannot be shown. */
export function note(heading: string, text: string, tone = '') {
  return h('div', { class: `note ${tone}` }, h('strong', {}, heading), h('small', {}, text))
}
