import { startPostgres } from '../../scripts/postgres/postgres.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'
import { startStandbyServer } from '../../scripts/postgres/standby-server.ts'
import { createCleanups } from './cleanups.ts'

/** A primary and a physical standby that streams from it. */
export interface StandbyServers {
  /** The database `postgres` of the primary, as its superuser. */
  primaryUrl: string
  /** The same database and login as in `primaryUrl` on the standby. */
  standbyUrl: string
  /** Resolves when the standby has replayed everything that the primary has written. */
  replayed(): Promise<void>
  /** Ends the standby alone. */
  endStandby(): Promise<void>
  stop(): Promise<void>
}

/** Starts both servers on free ports of 127.0.0.1. */
export async function startStandby(): Promise<StandbyServers> {
  const cleanups = createCleanups()
  try {
    const primary = await startPostgres({ streams: true })
    cleanups.defer(primary.stop)
    // A conflict with the replay cancels a query immediately, and vacuum causes none: a test makes its own conflicts.
    await withConnection(primary.url, async (sql) => {
      await sql`ALTER SYSTEM SET autovacuum = off`
      await sql`SELECT pg_reload_conf()`
    })
    const standby = await startStandbyServer(primary.url, { settings: { max_standby_streaming_delay: '0' } })
    cleanups.defer(standby.stop)
    return {
      primaryUrl: primary.url,
      standbyUrl: standby.url,
      endStandby: standby.crash,
      replayed: standby.replayed,
      stop: cleanups.run,
    }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}
