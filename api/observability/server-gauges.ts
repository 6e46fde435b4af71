import type { Gauge, Registry } from 'prom-client'
import { instrumentsOf } from '../../metrics/instruments.ts'
import type { Sources } from './sources.ts'

/** Registers the gauges of the database server, the disk for files, the certificates and the exports. */
export function createServerGauges(
  registry: Registry,
  sources: Pick<Sources, 'database' | 'connections' | 'databaseServer' | 'disk' | 'exportAge' | 'certificates'>,
) {
  const { gauge, counter } = instrumentsOf(registry)
  const wait = gauge('taskmarket_database_wait_seconds')
  const connections = gauge('taskmarket_database_connections')
  const size = gauge('taskmarket_database_size_bytes')
  const log = counter('taskmarket_database_wal_bytes_total')
  const retainedWal = gauge('taskmarket_database_retained_wal_bytes')
  const standbys = gauge('taskmarket_database_standbys')
  const diskFree = gauge('taskmarket_disk_free_bytes')
  const diskSize = gauge('taskmarket_disk_size_bytes')
  const certificates = gauge('taskmarket_certificate_remaining_days')
  const exportAge = gauge('taskmarket_export_age_seconds')
  return {
    /**
     * Reads the sources and sets the gauges.
     * @param up the gauge that is set to 1 if the database answers, and to 0 if it does not
     */
    gather: async (up: Gauge<'part'>): Promise<void> => {
      const [database, states, server, disk, age] = await Promise.all([
        sources.database(),
        sources.connections(),
        sources.databaseServer(),
        sources.disk(),
        sources.exportAge(),
      ])
      for (const each of [connections, diskFree, diskSize, certificates]) each.reset()
      for (const each of [wait, size, log, retainedWal, standbys, exportAge]) each.remove()
      up.set({ part: 'database' }, database.ok ? 1 : 0)
      if (database.ok) wait.set(database.milliseconds / 1000)
      if (states.ok) for (const { state, count } of states.value) connections.set({ state }, count)
      if (server.ok) {
        size.set(server.value.sizeBytes)
        if (server.value.walBytes !== null) log.inc(server.value.walBytes)
        retainedWal.set(server.value.retainedWalBytes)
        standbys.set(server.value.standbys)
      }
      if (disk.ok) {
        diskFree.set({ area: 'files' }, disk.value.freeBytes)
        diskSize.set({ area: 'files' }, disk.value.sizeBytes)
      }
      if (age.ok && age.value !== null) exportAge.set(age.value)
      for (const { setting, days } of sources.certificates()) certificates.set({ setting }, days)
    },
  }
}
