import postgres from 'postgres'
import { loginUrl, openLogins } from '../../../scripts/postgres/database-logins.ts'
import { startPostgres } from '../../../scripts/postgres/postgres.ts'
import { databaseUrlOf, withConnection } from '../../../scripts/postgres/postgres-databases.ts'
import { atServer, type StandbyServer, startStandbyServer } from '../../../scripts/postgres/standby-server.ts'
import { analystsSettings } from '../../../scripts/stack/analysts-standby.ts'
import { createCleanups } from '../../support/cleanups.ts'

type Login = 'market_analyst' | 'market_reader' | 'market_exporter' | 'postgres'

/** A primary with the logins and one table, and the standby of its analysts, without a keeper. */
export interface AnalystsServers {
  standby: StandbyServer
  /** The database at each server, as its superuser. */
  primaryUrl: string
  standbyUrl: string
  analystUrl: string
  readerAtPrimary: string
  primary: postgres.Sql
  /** A session of the superuser at the standby. */
  superuser: postgres.Sql
  /** A session at the standby, by its login and with a name. */
  connect(login: Login, name: string): postgres.Sql
  /** Ends the sessions of `connect`, whatever they do. */
  disconnect(): Promise<void>
  stop(): Promise<void>
}

/** Starts both servers on free ports of 127.0.0.1; replay waits a second for a query, not 30. */
export async function startAnalystsServers(): Promise<AnalystsServers> {
  const cleanups = createCleanups()
  let connected: postgres.Sql[] = []
  const open = (url: string, name = '') => {
    const connection = { application_name: name }
    const sql = postgres(url, { max: 1, fetch_types: false, backoff: () => 0.05, onnotice: () => {}, connection })
    return sql
  }
  const close = async (sql: postgres.Sql) => await sql.end({ timeout: 0 })
  try {
    const server = await startPostgres({ streams: true, inMemory: true })
    cleanups.defer(server.stop)
    // Many connections are opened: a hash of a password that costs nothing.
    await withConnection(server.url, async (sql) => {
      await sql`ALTER SYSTEM SET scram_iterations = 1`
      await sql`SELECT pg_reload_conf()`
    })
    const primaryUrl = await server.createDatabase('market')
    await openLogins(primaryUrl, { isOwnServer: true })
    const primary = open(primaryUrl)
    cleanups.defer(() => close(primary))
    await primary.unsafe(`
      CREATE TABLE market.task (id text PRIMARY KEY);
      COMMENT ON TABLE market.task IS 'one row a task';
      ALTER TABLE market.task OWNER TO market_indexer;
      GRANT SELECT ON market.task TO market_reader, market_analyst, market_exporter`)
    const standby = await startStandbyServer(databaseUrlOf(server.url, 'market'), {
      replicationUrl: loginUrl(primaryUrl, 'market_replica'),
      settings: { ...analystsSettings, max_standby_streaming_delay: '1s' },
    })
    cleanups.defer(standby.stop)
    await standby.replayed()
    const superuser = open(standby.url)
    cleanups.defer(() => close(superuser))
    const disconnect = async () => {
      await superuser`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name LIKE 'test %'`
      await Promise.all(connected.map(close))
      connected = []
    }
    cleanups.defer(disconnect)
    const urlOf = (login: Login) =>
      login === 'postgres' ? standby.url : atServer(loginUrl(primaryUrl, login), standby.url)
    return {
      standby,
      primaryUrl,
      standbyUrl: standby.url,
      analystUrl: urlOf('market_analyst'),
      readerAtPrimary: loginUrl(primaryUrl, 'market_reader'),
      primary,
      superuser,
      connect: (login, name) => {
        const sql = open(urlOf(login), name)
        connected.push(sql)
        return sql
      },
      disconnect,
      stop: cleanups.run,
    }
  } catch (error) {
    await cleanups.run()
    throw error
  }
}
