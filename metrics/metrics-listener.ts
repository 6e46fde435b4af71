import { createServer, type Server } from 'node:http'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** Headers that a proxy adds: behind one, the client is not on this machine. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const

/** Tells whether a proxy has handed the request on. */
export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
}

/**
 * A server of `GET /metrics` and nothing else, for an address of its own.
 * @param scrape answers the Prometheus text
 * @example createMetricsServer(() => registry.metrics()).listen(9100, '127.0.0.1')
 */
export function createMetricsServer(scrape: () => Promise<string>): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await scrape()
      response.writeHead(200, { 'Content-Type': METRICS_TYPE }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
}
