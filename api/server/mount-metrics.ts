import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, Hono } from 'hono'
import { isForwarded, METRICS_TYPE } from '../../metrics/metrics-listener.ts'
import { withoutMapping } from '../identity/client-ip.ts'
import { classOfClient } from './client-class.ts'

/**
 * Mounts `GET /metrics` for clients on this machine. With `TRUSTED_PROXIES` the route answers 404, because all clients
 * of a local proxy look local. Metrics then need a separate listener.
 * @param scrape returns the metrics in Prometheus text format
 */
export function mountMetrics(
  app: Hono,
  scrape: () => Promise<string>,
  { TRUSTED_PROXIES }: { TRUSTED_PROXIES: readonly string[] },
): void {
  app.get('/metrics', async (c) => {
    if (TRUSTED_PROXIES.length > 0 || !isDirectAndLocal(c)) return c.notFound()
    return c.body(await scrape(), 200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' })
  })
}

function isDirectAndLocal(c: Context): boolean {
  if (isForwarded(c.req.header())) return false
  const isSocket = c.env !== undefined && 'incoming' in c.env
  // A request without a socket comes from this process.
  return !isSocket || classOfClient(withoutMapping(getConnInfo(c).remote.address ?? '')) === 'loopback'
}
