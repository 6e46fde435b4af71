/**
 * The least that can answer a page, without anything of the service; a process of its own:
 * `bare-server.ts <databaseUrl> <port> <pageUrl>`.
 * - `/`: node:http, the driver, one statement, and the rows as JSON;
 * - `/same`: the statement that finds a page of the service, and the page of `pageUrl` as JSON;
 * - `/constant`: that page as it was sent; 304 where the request names a tag.
 */
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import postgres from 'postgres'

const [url = '', port = '', pageUrl = ''] = process.argv.slice(2)
const sql = postgres(url, { max: 8, connection: { search_path: 'market' } })
const planned = postgres(url, { max: 8, connection: { search_path: 'market', plan_cache_mode: 'force_generic_plan' } })
const listStatement = readFileSync(join(import.meta.dirname, 'list-page.sql'), 'utf8')
const page = Buffer.from(await (await fetch(pageUrl)).arrayBuffer())
const pageValue: unknown = JSON.parse(page.toString('utf8'))

const server = createServer((request, response) => {
  if (request.url === '/constant') {
    sendConstant(response, request.headers['if-none-match'] !== undefined)
    return
  }
  const answering = request.url === '/same' ? findSame() : readRows()
  answering.then(
    (text) => {
      response.setHeader('content-type', 'application/json')
      response.end(text)
    },
    (error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    },
  )
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))

async function readRows(): Promise<string> {
  const rows = await sql`
    select t.*, c.description, c.tags
    from task t
    join service.task_content c on c.content_hash = t.content_hash and c.requester = t.requester
      and c.task_visibility = 'public'
    where t.listed order by t.created_at_ms desc limit 20`
  return JSON.stringify(rows)
}

async function findSame(): Promise<string> {
  await planned.unsafe(listStatement, ['\u0002', '\u0001'], { prepare: true })
  return JSON.stringify(pageValue)
}

function sendConstant(response: ServerResponse, namesTag: boolean): void {
  response.statusCode = namesTag ? 304 : 200
  response.setHeader('etag', '"constant"')
  if (namesTag) {
    response.end()
    return
  }
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', page.length)
  response.end(page)
}
