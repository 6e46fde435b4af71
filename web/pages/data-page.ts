import { html } from 'hono/html'
import { shortened } from '../html/address.ts'
import type { Html } from '../html/html.ts'
import { note, type Page, section } from '../html/layout.ts'
import { counted, grouped } from '../html/money.ts'
import { at, relative } from '../html/time.ts'
import { type AnswerOf, orNull, type Reads } from '../http/read.ts'
import { byteCount } from '../words/byte-count.ts'
import { plain } from '../words/text.ts'

type Export = AnswerOf<'/api/exports'>['exports'][number]

const formatNames: Readonly<Record<Export['format'], string>> = { parquet: 'Parquet', csv: 'CSV', ndjson: 'NDJSON' }

/** Creates the page about access to the market's data: files, SQL, a database login for analysts, and JSON. */
export async function dataPage(reads: Reads): Promise<Page> {
  const answer = await orNull(reads.get('/api/exports'))
  const { now } = reads.head()
  return {
    title: 'Open data',
    description: 'Every public row of the market: as files, with SQL, and as JSON.',
    path: '/data',
    section: 'market',
    body: html`<div class="head"><h1>Open data</h1>
<p class="soft">Everything that happened on this market is open: tasks, entries, awards, and every movement of money. No key is needed. Texts of private and unlisted tasks are in none of it.</p></div>
${section('Files', answer === null ? note('wait', 'The list of files cannot be read now', 'Try again in a minute.') : files(answer.exports, now))}
${section('Ask with SQL', sql())}
${section('Connect your own tools', tools())}
${section('JSON', json())}`,
  }
}

function files([newestExport, ...olderExports]: readonly Export[], now: number): Html {
  if (newestExport === undefined) {
    return html`<p class="soft">This service publishes no files. The same rows are answered by SQL, below; who runs a service publishes files with <code>npm run export</code>.</p>`
  }
  return html`<p>${formatNames[newestExport.format]} at block ${grouped(newestExport.block.number)}, ${relative(newestExport.block.timestamp, now)}. <a href="${newestExport.manifestUrl}">Manifest</a> with every file, its rows and its SHA-256.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Files"><table><thead><tr><th scope="col">Table</th><th scope="col" class="n">Rows</th><th scope="col" class="n">Size</th><th scope="col" class="wide">SHA-256</th></tr></thead><tbody>${newestExport.tables.map(
    ({ name, rows, bytes, files: count, sha256, url }) =>
      html`<tr><td><a href="${url}">${plain(name)}</a>${count > 1 ? html` <small class="soft">${counted(count, 'file')}</small>` : ''}</td><td class="n">${grouped(rows)}</td><td class="n">${byteCount(bytes)}</td><td class="wide"><code class="hex" title="${sha256}">${shortened(sha256)}</code></td></tr>`,
  )}</tbody></table></div>
${
  olderExports.length === 0
    ? ''
    : html`<details><summary>Older files</summary><ul>${olderExports.map((each) => html`<li><a href="${each.manifestUrl}">${formatNames[each.format]} at block ${grouped(each.block.number)}</a> <small class="soft">${at(each.createdAt)}</small></li>`)}</ul></details>`
}`
}

function sql(): Html {
  return html`<div class="prose"><p>Send one SELECT to <code>POST /api/sql</code>, and get JSON, CSV, Parquet or Arrow. <a href="/api/sql.csv?query=SELECT+*+FROM+analytics.daily_market+ORDER+BY+day">The days of the market as CSV</a>.</p>
<pre tabindex="0"><code>curl -s $API/api/sql -H 'Content-Type: application/json' \\
  -d '{"query":"SELECT kind, sum(amount_units) FROM analytics.ledger GROUP BY kind"}'</code></pre>
<p><a href="/api/sql/schema">Tables and columns, with their meaning</a>. The schema <code>analytics</code> has words, times and units; <code>market</code> has the rows that it is made of.</p></div>`
}

function tools(): Html {
  return html`<div class="prose"><p>psql, DBeaver, Metabase, Grafana, SQLAlchemy and pandas connect with the login <code>market_analyst</code> to the standby of the service. Who runs the service gives you its address; <code>npm start</code> prints that of a local one.</p>
<pre tabindex="0"><code>psql "$ANALYST_URL" -c '\\d+ analytics.ledger'
psql "$ANALYST_URL" -c 'SELECT day, gmv_usdc FROM analytics.daily_market ORDER BY day DESC LIMIT 7'</code></pre>
<p>Of the source, <code>docs/build/analytics.md</code> has limits and examples, and <code>docs/build/cookbook.md</code> the SQL of 34 questions: volume, time to payout, acceptance, concentration and more.</p></div>`
}

function json(): Html {
  return html`<div class="prose"><ul><li><a href="/api/stats/daily">/api/stats/daily</a>: the sums of days</li>
<li><a href="/api/books">/api/books</a>: what contracts hold and owe, and the movements of any account (<a href="/books">as a page</a>)</li>
<li><a href="/docs/api">All routes</a></li></ul></div>`
}
