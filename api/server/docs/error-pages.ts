import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { type Detail, type DetailPage, detailNames, details } from '../../../protocol/details.ts'
import { answerTagged } from '../../http/tagged-answer.ts'
import { pagePolicy } from '../transport.ts'

const MAX_AGE = 'public, max-age=300'

/**
 * Serves the list of error details at `/docs/errors` and the page of each one, which `service.docs` of an error links
 * to. Example: `GET /docs/errors/wrong_state`.
 */
export function mountErrorPages(app: Hono): void {
  app.get('/docs/errors', (c) => answerPage(c, { title: 'Error details', body: detailList() }))
  for (const name of detailNames) {
    app.get(`/docs/errors/${name}`, (c) => answerPage(c, { title: name, body: detailText(name) }))
  }
}

type Markup = ReturnType<typeof html>

function detailList(): Markup {
  return html`<p>Each refusal names its condition in <code>service.detail</code> of the body.</p>
<ul>${detailNames.map((name) => html`<li><a href="/docs/errors/${name}">${name}</a>: ${details[name].meaning}</li>\n`)}</ul>`
}

function detailText(name: Detail): Markup {
  const { meaning, remedy, charge = 'Nothing was charged.' }: DetailPage = details[name]
  return html`<p>${withCode(meaning)}</p>
<h2>What to do</h2>
<p>${withCode(remedy)}</p>
<h2>Cost</h2>
<p>${withCode(charge)}</p>
<p><a href="/docs/errors">All error details</a>, <a href="/docs">API</a></p>`
}

/** Marks what stands between backticks as code. */
function withCode(text: string): Markup[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

async function answerPage(c: Context, { title, body }: { title: string; body: Markup }): Promise<Response> {
  const page = String(
    await html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`,
  )
  // No script and no foreign resource: the pages are text.
  return answerTagged(c, page, {
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Security-Policy': pagePolicy(),
    'Cache-Control': MAX_AGE,
  })
}
