/**
 * The least that can answer a page: node:http, the driver, the very statements of `GET /tasks`, and the rows as JSON. A
 * process of its own: `bare-server.ts <databaseUrl> <port>`.
 */
import { createServer } from 'node:http'
import { connectDatabase } from '../../../api/db/client.ts'
import { listPublicTasks } from '../../../api/features/tasks/list-tasks.queries.ts'
import { NOW } from './rows.ts'

const [url = '', port = ''] = process.argv.slice(2)
const sql = connectDatabase({ url, marketSchema: 'market' })
const toText = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost')
  const cursor = searchParams.get('cursor')
  const filter = cursor === null ? {} : { before: BigInt(Date.parse(cursor)) }
  listPublicTasks(sql, filter, { order: 'newest', limit: 21, now: BigInt(NOW) }).then(
    (rows) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(rows.slice(0, 20), toText))
    },
    (error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    },
  )
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
