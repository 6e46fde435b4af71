import { readSettings } from '../../settings/read-settings.ts'
import { defaultLimits, type KeeperOptions } from './keeper.ts'

/** Reads the options of `startKeeper` from environment variables. @throws SettingsError with every problem */
export function readKeeperSettings(
  environment: NodeJS.ProcessEnv,
): Omit<KeeperOptions, 'log'> & { metrics?: { host: string; port: number } } {
  const {
    STANDBY_DATABASE_URL: url,
    STANDBY_DATA_DIRECTORY: dataDirectory = null,
    STANDBY_METRICS_PORT: port,
    METRICS_HOST: host,
  } = readSettings('standby-keeper', environment)
  return { url, dataDirectory, limits: defaultLimits, ...(port === undefined ? {} : { metrics: { host, port } }) }
}
