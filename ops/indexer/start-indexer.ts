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
  /** Nodes of the chain, in the order of preference. */
  rpcUrls: readonly string[]
  /** WebSocket of the only node for new heads. Default: none; for a chain of this machine that of its URL. */
  rpcSocketUrl?: string
  databaseUrl: string
  /** Path of a JSON file as deployments/<chainId>.json. */
  deploymentFile: string
  /** Directory of the source: config, schema, `src`, and what they import. Default: this repository. */
  root?: string
  /** True to index the chain again beside the served rows, and then to serve the new ones. Default false. */
  again?: boolean
  /** Port of Ponder's HTTP; absent: any free one. */
  port?: number
  /** Address of Ponder's HTTP listener. Default 127.0.0.1. */
  host?: string
  /**
   * Ponder's environment: the variables of ponder.config.ts beyond the options (LOCAL_CHAIN, RPC_PARALLEL, POLLING_INTERVAL_MS),
   * and PATH and the like. Default: that of this process.
   */
  env?: NodeJS.ProcessEnv
  /** Path of Ponder's log. Absent: a temporary file, removed by `stop`. */
  logFile?: string
  limits?: Partial<WatchdogLimits>
  /** Limit of Ponder's restarts before the indexer gives up. Default: 3 in 10 minutes. */
  restarts?: RestartLimits
  /** Interval of the watchdog. Default 2 s; an end of Ponder wakes it. */
  watchIntervalMs?: number
  /** Receives one line of progress at a time. Default: no output. */
  log?: (line: string) => void
  /** Address of its `/metrics`; absent: not served. */
  metrics?: { host: string; port: number }
}

export interface Indexer {
  port: number
  /** The Postgres schema of this deployment's tables; readers use `market`. */
  schema: string
  /** Ponder's current process; a restart changes it. */
  readonly pid: number
  /** Resolves with the reason when the indexer has given up; never rejects, and stays open after `stop` or `kill`. */
  failed: Promise<Error>
  /** Ends Ponder cleanly, and the watch. */
  stop(): Promise<void>
  /** Ends Ponder by SIGKILL, as a crash of the machine would, and the watch. */
  kill(): Promise<void>
}

const defaultLimits: WatchdogLimits = { stalledMs: 30_000, lagBlocks: 30n, lagMs: 120_000 }
const defaultRestarts: RestartLimits = { most: 3, periodMs: 600_000 }

/**
 * Runs Ponder for one deployment and resolves when its rows are at the chain's height and the views of `market` show them. It
 * waits while another indexer runs the same schema, and while no node answers. After that it restarts Ponder when it ends, lags
 * or stands still.
 * @throws with the end of its log if Ponder does not start
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
  const served = await checkSetting('DATABASE_URL', () => readGeneration(sql))
  const generation = options.again === true ? served + 1 : served
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
    if ((await readGeneration(sql)) !== served) throw new OlderGeneration()
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

/** Creates a file and its folder if they are missing. */
function appendTo(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, '')
}

/** Returns the source of heads. A node of this machine serves both protocols at one port. Heads of several nodes are polled. */
function headSettings(
  { rpcUrls, rpcSocketUrl }: IndexerOptions,
  env: NodeJS.ProcessEnv,
): { socketUrl: string | null; pollingIntervalMs: number } {
  const isLocal = env.LOCAL_CHAIN === '1'
  const [only] = rpcUrls.length === 1 ? rpcUrls : []
  const socketUrl = rpcSocketUrl ?? (isLocal && only !== undefined ? only.replace(/^http/, 'ws') : null)
  return { socketUrl, pollingIntervalMs: Number(env.POLLING_INTERVAL_MS ?? (isLocal ? 100 : 1000)) }
}
