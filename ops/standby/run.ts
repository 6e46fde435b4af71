import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { refuseStart, warnOfUnknownNames } from '../../settings/refuse-start.ts'
import { createProcessRegistry, serveMetrics } from '../process/serve-metrics.ts'
import { startKeeper } from './keeper.ts'
import { readKeeperSettings } from './settings.ts'

/**
 * Runs `npm run standby-keeper`, which ends sessions of a standby database server that exceed their time limits. At
 * SIGINT or SIGTERM, stops the keeper and exits with code 0.
 */
const log = (line: string) => console.log(escapeHidden(`standby: ${line}`))

try {
  const { metrics, ...options } = readKeeperSettings(process.env)
  const registry = createProcessRegistry()
  const keeper = startKeeper({ ...options, registry, log })
  const listener =
    metrics === undefined
      ? null
      : await serveMetrics(() => registry.metrics(), { ...metrics, setting: 'STANDBY_METRICS_PORT' })
  warnOfUnknownNames('standby-keeper')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await listener?.stop()
      await keeper.stop()
      process.exit(0)
    })
  }
} catch (error) {
  refuseStart('standby-keeper', error)
}
