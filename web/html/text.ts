import { html } from 'hono/html'
import { plain } from '../words/text.ts'
import type { Html } from './html.ts'

/** Renders a stranger's text as part of a line. The direction of the text does not affect the rest of the line. */
export function inline(text: string): Html {
  return html`<bdi>${plain(text)}</bdi>`
}

/** Renders a stranger's text as a paragraph without markup. Line breaks are kept. */
export function block(text: string): Html {
  return html`<p class="plain" dir="auto">${plain(text)}</p>`
}
