/** The least that can take a file: node:http, and a stream to the disk. A process: `bare-writer.ts <folder> <port>`. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const [folder = '', port = ''] = process.argv.slice(2)

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end('{}')
    return
  }
  pipeline(request, createWriteStream(join(folder, randomUUID()))).then(
    () => response.end('{}'),
    (error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    },
  )
})
server.listen(Number(port), '127.0.0.1')
