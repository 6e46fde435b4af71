import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createProcessRegistry, serveMetrics } from '../../ops/process/serve-metrics.ts'
import { defaultLimits, startKeeper } from '../../ops/standby/keeper.ts'
import { loginUrl } from '../postgres/database-logins.ts'
import { atServer, type StandbyServer, startStandbyServer } from '../postgres/standby-server.ts'

export interface AnalystsStandbyOptions {
  /** URL of the database on the primary server, with the superuser. */
  primaryUrl: string
  /** Directory of the primary's data. The standby's copy is created in the subfolder `standby`. */
  dataDir: string
  port: number
  /** Port at which the standby's keeper serves `/metrics`. */
  metricsPort: number
  log(line: string): void
  /** Returns false while the stack stops. A standby that ends then is not restarted. */
  isWanted(): boolean
}

export interface AnalystsStandby {
  /** Returns the URL of the same database and login on the standby. */
  at(url: string): string
  metricsPort: number
  stop(): Promise<void>
}

/**
 * Settings of the standby for analysts. Their queries do not delay the primary: there is no replication slot and no
 * feedback. Replay waits at most 30 s for a query. Memory that several processes share is in files, because the memory
 * limit of a process does not count shared memory.
 */
export const analystsSettings: Record<string, string> = {
  hot_standby_feedback: 'off',
  max_standby_streaming_delay: '30s',
  max_standby_archive_delay: '30s',
  wal_keep_size: '64MB',
  min_wal_size: '32MB',
  shared_buffers: '32MB',
  dynamic_shared_memory_type: 'mmap',
  jit: 'off',
}

/** Time after a start, milliseconds. If the standby ends within this time, it is copied from the primary again. */
const TOO_SOON_MS = 10_000
/** Pause between two attempts to copy the primary, milliseconds. */
const RETRY_MS = 5_000

/**
 * Copies the primary, and starts the copy as the standby for analysts, together with its keeper. If the standby ends,
 * it is restarted. If it can no longer follow its primary, it is copied again. Only analysts notice such a restart.
 */
export async function startAnalystsStandby(options: AnalystsStandbyOptions): Promise<AnalystsStandby> {
  const { primaryUrl, dataDir, port, metricsPort, log, isWanted } = options
  const standby = await startStandbyServer(primaryUrl, {
    replicationUrl: loginUrl(primaryUrl, 'market_replica'),
    home: join(dataDir, 'standby'),
    port,
    settings: analystsSettings,
  })
  const supervision = supervise(standby, { log, isWanted })
  const registry = createProcessRegistry()
  const keeper = startKeeper({
    registry,
    url: standby.url,
    dataDirectory: standby.cluster,
    limits: defaultLimits,
    log,
    onDetached: supervision.onDetached,
  })
  const listener = await serveMetrics(() => registry.metrics(), {
    host: '127.0.0.1',
    port: metricsPort,
    setting: 'STANDBY_METRICS_PORT',
  })
  return {
    at: (url) => atServer(url, standby.url),
    metricsPort: listener.port,
    stop: async () => {
      await listener.stop()
      await keeper.stop()
      const supervisionEnd = supervision.stop()
      // A server that is not ready yet ends too; its copy is removed afterwards.
      await standby.stop()
      await supervisionEnd
      await standby.stop()
    },
  }
}

/** Brings the standby back whenever its process ends, or when it no longer receives the primary's log. */
function supervise(standby: StandbyServer, { log, isWanted }: Pick<AnalystsStandbyOptions, 'log' | 'isWanted'>) {
  const stopController = new AbortController()
  const stopPromise = new Promise<'stopped'>((resolve) => {
    stopController.signal.addEventListener('abort', () => resolve('stopped'))
  })
  let onDetached = () => {}
  const untilDetached = () =>
    new Promise<'detached'>((resolve) => {
      onDetached = () => resolve('detached')
    })
  let startedAt = performance.now()

  const bringBack = async (isCopied: boolean) => {
    try {
      await (isCopied ? standby.replace() : standby.restart())
      startedAt = performance.now()
      log(isCopied ? 'copied from the primary and started again' : 'started again')
    } catch (error) {
      if (stopController.signal.aborted) return
      log(error instanceof Error ? error.message : String(error))
      if (isCopied) await delay(RETRY_MS, undefined, { signal: stopController.signal }).catch(() => {})
      if (isWanted() && !stopController.signal.aborted) await bringBack(true)
    }
  }
  const watch = async () => {
    while (!stopController.signal.aborted) {
      const outcome = await Promise.race([standby.ended(), untilDetached(), stopPromise])
      if (outcome === 'stopped' || !isWanted()) return
      if (outcome !== 'detached') log(`ended with ${outcome.description}`)
      await bringBack(outcome === 'detached' || performance.now() - startedAt < TOO_SOON_MS)
    }
  }
  const watchLoop = watch()
  return {
    onDetached: () => onDetached(),
    stop: async () => {
      stopController.abort()
      await watchLoop
    },
  }
}
