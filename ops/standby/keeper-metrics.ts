import type { Registry } from 'prom-client'
import { readDiskRoom } from '../../metrics/disk-room.ts'
import { instrumentsOf } from '../../metrics/instruments.ts'
import { sharedBytesOf } from './server-process.ts'

/** Records in metrics what a keeper sees and does. A keeper limits the sessions of a standby database. */
export interface KeeperMetrics {
  /** Records the state of the standby database; null if the database did not answer. */
  looked(state: { isStreaming: boolean; replayLagSeconds: number | null } | null): void
  sessionEnded(login: string, how: 'asked' | 'killed'): void
}

/**
 * Registers the metrics of a keeper.
 * @param dataDirectory data directory of the standby on this machine; null if the standby runs on another machine
 */
export function createKeeperMetrics(registry: Registry, dataDirectory: string | null): KeeperMetrics {
  const { counter, gauge } = instrumentsOf(registry)
  const answeringGauge = gauge('taskmarket_standby_answering')
  const streamingGauge = gauge('taskmarket_standby_streaming')
  const lag = gauge('taskmarket_standby_replay_lag_seconds')
  const endedCounter = counter('taskmarket_standby_ended_sessions_total')
  const sharedGauge = gauge('taskmarket_standby_shared_bytes', () => {
    if (dataDirectory !== null) sharedGauge.set(sharedBytesOf(dataDirectory))
  })
  const size = gauge('taskmarket_disk_size_bytes')
  const freeGauge = gauge('taskmarket_disk_free_bytes', async () => {
    freeGauge.reset()
    size.reset()
    const room = dataDirectory === null ? null : await readDiskRoom(dataDirectory).catch(() => null)
    if (room === null) return
    freeGauge.set({ area: 'standby' }, room.freeBytes)
    size.set({ area: 'standby' }, room.sizeBytes)
  })
  answeringGauge.set(0)
  return {
    looked: (state) => {
      answeringGauge.set(state === null ? 0 : 1)
      streamingGauge.remove()
      lag.remove()
      if (state === null) return
      streamingGauge.set(state.isStreaming ? 1 : 0)
      if (state.replayLagSeconds !== null) lag.set(state.replayLagSeconds)
    },
    sessionEnded: (login, how) => endedCounter.inc({ login, how }),
  }
}
