import http, { type RequestListener } from 'node:http'

/**
 * Preloaded into Ponder: its HTTP serves these three paths and nothing else. Ponder mounts more routes of its own
 * before the application's (`/metrics`, with the host's figures), and answers an error with a page about it.
 */
const served = new Set(['/status', '/health', '/ready'])

const createServer = http.createServer
// Ponder reads this property when it opens its server.
http.createServer = ((options: http.ServerOptions, listener: RequestListener) =>
  createServer(options, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const isServed = (request.method === 'GET' || request.method === 'HEAD') && served.has(path)
    if (isServed) return listener(request, response)
    response.writeHead(404, { 'Content-Type': 'text/plain' })
    response.end('This port serves GET /status, /health and /ready.')
  })) as typeof http.createServer
