/**
 * Serves what it fetched once from another server, byte by byte as a browser gets it, from memory: a page of the service as a
 * static page. A process of its own: `static-server.ts <origin> <port>`.
 */
import { createServer, request } from 'node:http'

/** An answer as it went over the wire. */
interface EncodedAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'date']
const [origin = '', port = ''] = process.argv.slice(2)
const kept = new Map<string, Promise<EncodedAnswer>>()

const server = createServer(({ url: path = '/' }, response) => {
  const url = `${origin}${path}`
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

/** Fetches a URL as a browser does, without decoding the body. Example: the brotli of a page. */
function fetchEncoded(url: string): Promise<EncodedAnswer> {
  const headers = { Accept: 'text/html,*/*;q=0.8', 'Accept-Encoding': 'gzip, deflate, br' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const body = Buffer.concat(chunks)
        const own = Object.entries(response.headers).filter(([name]) => !ofConnection.includes(name))
        const answered = { ...Object.fromEntries(own), 'content-length': String(body.length) }
        resolve({ status: response.statusCode ?? 0, headers: answered, body })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
