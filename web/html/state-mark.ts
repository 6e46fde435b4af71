import { html } from 'hono/html'
import type { State } from '../words/states.ts'
import type { Html } from './html.ts'

/** Renders a state as a symbol and a word. */
export function stateMark({ shape, word }: State): Html {
  return html`<span class="state ${shape}">${word}</span>`
}
