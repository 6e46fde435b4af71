import { isAbsolute, join } from 'node:path'
import { readSettings } from '../../settings/read-settings.ts'
import { repositoryRoot } from '../process/paths.ts'
import type { IndexerOptions } from './start-indexer.ts'

/** Reads the options of `startIndexer` from environment variables. @throws SettingsError with every problem */
export function readIndexerSettings(environment: NodeJS.ProcessEnv): IndexerOptions {
  const settings = readSettings('indexer', environment, ({ RPC_URL = [], RPC_SOCKET_URL }) =>
    RPC_URL.length > 1 && RPC_SOCKET_URL !== undefined
      ? [{ setting: 'RPC_SOCKET_URL', problem: 'is of one node: it cannot be used with several in RPC_URL' }]
      : [],
  )
  return {
    rpcUrls: settings.RPC_URL,
    ...(settings.RPC_SOCKET_URL === undefined ? {} : { rpcSocketUrl: settings.RPC_SOCKET_URL }),
    databaseUrl: settings.DATABASE_URL,
    deploymentFile: isAbsolute(settings.DEPLOYMENT_FILE)
      ? settings.DEPLOYMENT_FILE
      : join(repositoryRoot, settings.DEPLOYMENT_FILE),
    host: settings.INDEXER_HOST,
    port: settings.INDEXER_PORT,
    ...(settings.INDEXER_METRICS_PORT === undefined
      ? {}
      : { metrics: { host: settings.METRICS_HOST, port: settings.INDEXER_METRICS_PORT } }),
    ...(settings.INDEXER_LOG_FILE === undefined ? {} : { logFile: settings.INDEXER_LOG_FILE }),
    env: environment,
  }
}
