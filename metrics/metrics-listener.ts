import { createServer, type Server } from 'node:http'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/**
 * The headers that a proxy adds to a request. A request with one of these headers was forwarded, so it may come from
 * another machine.
 */
const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const

/**
 * Reports whether a proxy has forwarded the request. For example, `isForwarded({ 'x-real-ip': '10.0.0.1' })` is `true`.
 */
export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
}

/**
 * Creates an HTTP server that answers only `GET /metrics`.
 * @param scrape returns the metrics in Prometheus text format
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
