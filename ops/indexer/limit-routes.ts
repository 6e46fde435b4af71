import http, { type RequestListener } from 'node:http'
import { TOKEN_HEADER, TOKEN_VARIABLE } from './metrics-token.ts'

/**
 * A module preloaded into Ponder. With this module, Ponder's HTTP server answers only these three paths, and `/metrics`
 * for the supervisor. Without the module, the server has more routes, and answers an error with a page about the error.
 */
const servedPaths = new Set(['/status', '/health', '/ready'])
const token = process.env[TOKEN_VARIABLE]

const createServer = http.createServer
// Ponder reads this property when it opens its server.
http.createServer = ((options: http.ServerOptions, listener: RequestListener) =>
  createServer(options, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const isServed = servedPaths.has(path) || (path === '/metrics' && isSupervisor(request))
    if (isServed && (request.method === 'GET' || request.method === 'HEAD')) return listener(request, response)
    response.writeHead(404, { 'Content-Type': 'text/plain' })
    response.end('This port serves GET /status, /health and /ready.')
  })) as typeof http.createServer

function isSupervisor({ headers }: http.IncomingMessage): boolean {
  return token !== undefined && token !== '' && headers[TOKEN_HEADER] === token
}
