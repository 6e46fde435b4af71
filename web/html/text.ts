import { html } from 'hono/html'
import { plain } from '../words/text.ts'
import type { Html } from './html.ts'

/** A stranger's text inside a line, isolated from the direction of the line. */
export function inline(text: string): Html {
  return html`<bdi>${plain(text)}</bdi>`
}

/** A stranger's text unrendered, line breaks included. */
export function block(text: string): Html {
  return html`<p class="plain" dir="auto">${plain(text)}</p>`
}
