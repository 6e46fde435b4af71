/**
 * The least that can answer a page: node:http, the driver, one statement, and the rows as JSON; nothing of the service.
 * A process of its own: `bare-server.ts <databaseUrl> <port>`.
 */
import { createServer } from 'node:http'
import postgres from 'postgres'

const [url = '', port = ''] = process.argv.slice(2)
const sql = postgres(url, { max: 8, connection: { search_path: 'market' } })

const server = createServer((_request, response) => {
  sql`
    select t.*, c.description, c.tags
    from task t
    join service.task_content c on c.content_hash = t.content_hash and c.requester = t.requester
      and c.task_visibility = 'public'
    where t.listed order by t.created_at_ms desc limit 20`.then(
    (rows) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(rows))
    },
    (error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    },
  )
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
