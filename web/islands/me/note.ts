import { h } from '../dom.ts'

/** Renders a note with a heading, in place of content that cannot be shown. */
export function note(heading: string, text: string, tone = '') {
  return h('div', { class: `note ${tone}` }, h('strong', {}, heading), h('small', {}, text))
}
