import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { Registry } from 'prom-client'
import { arrayTypes } from '../../api/db/array-types.ts'
import { withQueryTimeout } from '../../api/db/query-timeout.ts'
import { checkSetting } from '../../settings/start-problems.ts'
import { repositoryRoot } from '../process/paths.ts'
import { createProcessRegistry, serveMetrics } from '../process/serve-metrics.ts'
import { forgetCachedLogs, OlderGeneration, readGeneration } from './generation.ts'
import { startHeadFeed } from './heads/head-feed.ts'
import { acquireIndexerLock, LONGEST_WAIT_MS } from './indexer-lock.ts'
import { createIndexerMetrics } from './indexer-metrics.ts'
import { checkMarketPlace } from './market-place.ts'
import { openNodes } from './open-nodes.ts'
import type { RestartLimits } from './restart-limit.ts'
import { schemaNameOf } from './schema-name.ts'
import { type StandbyListener, serveStandby } from './standby.ts'
import { startSupervisor } from './supervisor.ts'
import type { WatchdogLimits } from './watchdog.ts'

export interface IndexerOptions {
  /** URLs of the chain's nodes, in the order of preference. */
  rpcUrls: readonly string[]
  /**
   * WebSocket URL of the node, from which new block headers are read. Set it only if there is one node. Default: the
   * node's URL with `ws` if the node's chain is on this machine, else none.
   */
  rpcSocketUrl?: string
  databaseUrl: string
  /** Path of a JSON file in the format of deployments/<chainId>.json. */
  deploymentFile: string
  /**
   * Directory of Ponder's source: the config, the schema, `src`, and the files that they import. Default: this
   * repository.
   */
  root?: string
  /** True to index the whole chain again beside the served rows, and then to serve the new rows. Default: false. */
  again?: boolean
  /** Port of Ponder's HTTP server; absent to use any free port. */
  port?: number
  /** Address at which Ponder's HTTP server listens. Default: 127.0.0.1. */
  host?: string
  /**
   * Environment variables for Ponder: the system's, such as PATH, and LOCAL_CHAIN, RPC_PARALLEL and POLLING_INTERVAL_MS
   * for ponder.config.ts. Default: the environment of this process.
   */
  env?: NodeJS.ProcessEnv
  /** Path of Ponder's log file. Default: a temporary file, which `stop` removes. */
  logFile?: string
  limits?: Partial<WatchdogLimits>
  /**
   * The limit of Ponder's restarts. The indexer gives up when the limit is exceeded. Default: 3 restarts within 10
   * minutes.
   */
  restarts?: RestartLimits
  /**
   * Interval in milliseconds between two checks by the watchdog. Default: 2,000. The end of Ponder triggers a check at
   * once.
   */
  watchIntervalMs?: number
  /** Receives one line of progress at a time. Default: no output. */
  log?: (line: string) => void
  /** Address and port at which the indexer serves `/metrics`; absent to serve no metrics. */
  metrics?: { host: string; port: number }
}

export interface Indexer {
  port: number
  /** The PostgreSQL schema that contains this deployment's tables. Readers use the views in `market` instead. */
  schema: string
  /** Process id of the current Ponder. The id changes at a restart. */
  readonly pid: number
  /**
   * Resolves with the reason when the indexer has given up. The promise never rejects, and remains pending after `stop`
   * or `kill`.
   */
  failed: Promise<Error>
  /** Ends Ponder cleanly, and stops the watchdog. */
  stop(): Promise<void>
  /** Ends Ponder by SIGKILL, as a crash of the machine would, and stops the watchdog. */
  kill(): Promise<void>
}

const defaultLimits: WatchdogLimits = { stalledMs: 30_000, lagBlocks: 30n, lagMs: 120_000 }
const defaultRestarts: RestartLimits = { most: 3, periodMs: 600_000 }

/**
 * Runs Ponder for one deployment, and resolves when the rows are at the chain's height and the views of `market` show
 * them. The start waits until no other indexer runs the same schema, and a node answers. Later, Ponder is restarted
 * whenever it ends, lags behind the chain or makes no progress.
 * @throws with the end of Ponder's log if Ponder does not start
 */
export async function startIndexer(options: IndexerOptions): Promise<Indexer> {
  const { databaseUrl, deploymentFile, logFile, root = repositoryRoot, log = () => {} } = options
  if (logFile !== undefined) await checkSetting('INDEXER_LOG_FILE', () => appendTo(logFile))
  const env = options.env ?? process.env
  const isLocal = env.LOCAL_CHAIN === '1'
  const temporaryDirectory = options.logFile === undefined ? mkdtempSync(join(tmpdir(), 'task-market-indexer-')) : null
  const sql = withQueryTimeout(
    postgres(databaseUrl, { max: 2, onnotice: () => {}, fetch_types: false, types: arrayTypes }),
    LONGEST_WAIT_MS,
  )
  const servedGeneration = await checkSetting('DATABASE_URL', () => readGeneration(sql))
  const generation = options.again === true ? servedGeneration + 1 : servedGeneration
  const nameSchema = () => schemaNameOf(deploymentFile, { generation, root })
  const schema = await checkSetting('DEPLOYMENT_FILE', nameSchema)
  const { port, host = '127.0.0.1' } = options
  const node = await openNodes({ rpcUrls: options.rpcUrls, deploymentFile, isLocal, log })
  await checkMarketPlace({ rpcUrl: node.url, deploymentFile })
  const serveUntilPonder = (status: StandbyListener['status']) =>
    port === undefined
      ? {}
      : { whileWaiting: () => serveStandby({ rpcUrl: node.url, deploymentFile, sql }, { host, port, status }) }
  const metrics = createIndexerMetrics(options.metrics === undefined ? new Registry() : createProcessRegistry())
  const listener =
    options.metrics === undefined
      ? null
      : await serveMetrics(metrics.scrape, { ...options.metrics, setting: 'INDEXER_METRICS_PORT' })
  const lock = await acquireIndexerLock(databaseUrl, { schema, log, ...serveUntilPonder('standby') })
  const heads = await startHeadFeed({ rpcUrl: node.url, ...headSettings(options, env), log })
  const release = async () => {
    await listener?.stop()
    await heads.stop()
    await node.stop()
    await lock.release()
    await sql.end({ timeout: 5 })
    if (temporaryDirectory !== null) rmSync(temporaryDirectory, { recursive: true, force: true })
  }
  try {
    // Another indexer may have indexed again during the wait.
    if ((await readGeneration(sql)) !== servedGeneration) throw new OlderGeneration()
    if (options.again === true) await forgetCachedLogs(sql)
    const supervisor = await startSupervisor({
      sql,
      lock,
      log,
      metrics,
      generation,
      isLocal,
      nameSchema,
      ...serveUntilPonder('waiting'),
      ponder: {
        root,
        rpcUrl: node.url,
        databaseUrl,
        deploymentFile,
        headsUrl: heads.url,
        schema,
        ...(options.port === undefined ? {} : { port: options.port }),
        host: options.host ?? '127.0.0.1',
        env,
        logFile: options.logFile ?? join(temporaryDirectory ?? '', 'ponder.log'),
      },
      limits: { ...defaultLimits, ...options.limits },
      restarts: options.restarts ?? defaultRestarts,
      watchIntervalMs: options.watchIntervalMs ?? 2000,
    })
    const endWith = async (signal: 'SIGINT' | 'SIGKILL') => {
      await supervisor.end(signal)
      await release()
    }
    return {
      port: supervisor.current().port,
      schema,
      get pid() {
        return supervisor.current().child.pid
      },
      failed: supervisor.failed,
      stop: () => endWith('SIGINT'),
      kill: () => endWith('SIGKILL'),
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** Creates a file and its directory if they are missing. Throws if the file cannot be written. */
function appendTo(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, '')
}

/**
 * Returns the URL of the WebSocket that delivers new block headers, and the interval of polls in milliseconds. If no
 * socket URL is set, `socketUrl` is null, and polls find new blocks. Exception: if the only node is a local chain, its
 * socket URL is its HTTP URL with `ws`, because the node serves HTTP and WebSocket at the same port.
 */
function headSettings(
  { rpcUrls, rpcSocketUrl }: IndexerOptions,
  env: NodeJS.ProcessEnv,
): { socketUrl: string | null; pollingIntervalMs: number } {
  const isLocal = env.LOCAL_CHAIN === '1'
  const [onlyUrl] = rpcUrls.length === 1 ? rpcUrls : []
  const socketUrl = rpcSocketUrl ?? (isLocal && onlyUrl !== undefined ? onlyUrl.replace(/^http/, 'ws') : null)
  return { socketUrl, pollingIntervalMs: Number(env.POLLING_INTERVAL_MS ?? (isLocal ? 100 : 1000)) }
}
