/**
 * Serves what it fetched once from another server, byte by byte as a browser gets it, from memory: a page of the service as a
 * static page. A process of its own: `static-server.ts <origin> <port>`.
 */
import { createServer } from 'node:http'
import { fetchEncoded } from './fetch-encoded.ts'

const [origin = '', port = ''] = process.argv.slice(2)
const kept = new Map<string, ReturnType<typeof fetchEncoded>>()

const server = createServer((request, response) => {
  const url = `${origin}${request.url ?? '/'}`
  const answer = kept.get(url) ?? fetchEncoded(url)
  kept.set(url, answer)
  answer.then(
    ({ status, headers, body }) => {
      response.writeHead(status, headers)
      response.end(body)
    },
    (error: unknown) => {
      response.writeHead(502)
      response.end(String(error))
    },
  )
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
