import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { createMetricsServer } from '../../metrics/metrics-listener.ts'
import { describeListenError } from '../../settings/start-problems.ts'

/** The HTTP listener that serves a program's metrics. */
export interface ServedMetrics {
  /** The port at which the listener listens. */
  port: number
  /** Closes the listener. */
  stop(): Promise<void>
}

/** Creates a registry that contains the default metrics of the process, such as CPU time and memory. */
export function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/**
 * Serves `GET /metrics` on a separate address.
 * @param place `setting`: the name of the setting with the port; the setting METRICS_HOST contains the address
 * @throws SettingsError if the server cannot listen at the address
 * @example await serveMetrics(() => registry.metrics(), { host: '127.0.0.1', port: 9102, setting:
 * 'INDEXER_METRICS_PORT' })
 */
export async function serveMetrics(
  scrape: () => Promise<string>,
  { host, port, setting }: { host: string; port: number; setting: string },
): Promise<ServedMetrics> {
  const server = createMetricsServer(scrape)
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw describeListenError(error, { host: 'METRICS_HOST', port: setting })
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closure = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closure
    },
  }
}
