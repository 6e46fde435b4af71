import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { startPostgres } from '../../scripts/postgres/postgres.ts'
import { findPostgresBinaries } from '../../scripts/postgres/postgres-binaries.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'
import { unprivilegedUser } from '../../scripts/postgres/postgres-user.ts'
import { type Cleanups, createCleanups } from './cleanups.ts'

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

/** Settings of a primary with a standby; the command line of `startPostgres` has the opposite. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  wal_level: 'replica',
  max_wal_senders: '2',
  hot_standby: 'on',
  // A conflict with the replay cancels a query immediately, and vacuum causes none: a test makes its own conflicts.
  max_standby_streaming_delay: '0',
  autovacuum: 'off',
  fsync: 'off',
}

/**
 * Starts both servers on free ports of 127.0.0.1. The standby is a copy of the primary's stopped data directory: the
 * packaged binaries have no pg_basebackup.
 */
export async function startStandby(): Promise<StandbyServers> {
  const cleanups = createCleanups()
  try {
    return await startBoth(cleanups)
  } catch (error) {
    await cleanups.run()
    throw error
  }
}

async function startBoth(cleanups: Cleanups): Promise<StandbyServers> {
  const home = mkdtempSync(join(tmpdir(), 'task-market-standby-'))
  cleanups.defer(() => rmSync(home, { recursive: true, force: true }))
  const standby = join(home, 'standby')
  const replication = { user: 'replication_login', password: randomBytes(16).toString('hex') }
  const { url, cluster } = await initializePrimary(home, replication)

  // A standby refuses a data directory whose control file has the `wal_level` of `startPostgres`: one start renews it.
  const renewing = await startServer(cluster, { logFile: join(home, 'renewing.log') })
  await renewing.child.stop()
  copyDirectory(cluster, standby)

  const primary = await startServer(cluster, { logFile: join(home, 'primary.log'), temporaryDirectory: home })
  cleanups.defer(primary.child.stop)
  const connection = `host=127.0.0.1 port=${primary.port} user=${replication.user} password=${replication.password}`
  appendFileSync(join(standby, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`)
  writeFileSync(join(standby, 'standby.signal'), '')
  const replica = await startServer(standby, { logFile: join(home, 'standby.log') })
  cleanups.defer(replica.child.stop)

  const [primaryUrl, standbyUrl] = [atPort(url, primary.port), atPort(url, replica.port)]
  return {
    primaryUrl,
    standbyUrl,
    endStandby: replica.child.stop,
    replayed: () => waitForReplay(replica.child, { primaryUrl, standbyUrl }),
    stop: cleanups.run,
  }
}

/** The same login and database on the port of another server. */
export function atServer(url: string, server: string): string {
  return atPort(url, Number(new URL(server).port))
}

/** @returns the superuser's URL of a server that has ended, and its data directory */
async function initializePrimary(
  home: string,
  { user, password }: { user: string; password: string },
): Promise<{ url: string; cluster: string }> {
  const server = await startPostgres({ dataDir: home })
  try {
    return await withConnection(server.url, async (sql) => {
      await sql.unsafe(`CREATE ROLE ${user} LOGIN REPLICATION PASSWORD '${password}'`)
      const [row] = await sql<{ cluster: string }[]>`SELECT current_setting('data_directory') AS cluster`
      if (row === undefined) throw new Error('the server has no data directory')
      return { url: server.url, cluster: row.cluster }
    })
  } finally {
    await server.stop()
  }
}

/** Starts a server; it is ready when it takes connections, which a standby does once its state is consistent. */
async function startServer(
  cluster: string,
  files: { logFile: string; temporaryDirectory?: string },
): Promise<{ child: Child; port: number }> {
  const user = unprivilegedUser()
  const port = await findFreePort()
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = await startChild({
    name: 'postgres',
    command: findPostgresBinaries(user).postgres,
    args: ['-D', cluster, '-p', String(port), ...settings],
    cwd: cluster,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    stopSignal: 'SIGINT',
    ...files,
    ...(user !== null && { user: { uid: user.uid, gid: user.gid } }),
  })
  try {
    const isReady = async () => (child.readLog().includes('ready to accept') ? true : null)
    await waitUntilReady(child, isReady, { timeoutMilliseconds: 30_000 })
    return { child, port }
  } catch (error) {
    await child.stop()
    // Another process may bind the port between the choice and the start.
    if (child.readLog().includes('could not bind')) return startServer(cluster, files)
    throw error
  }
}

async function waitForReplay(
  child: Child,
  { primaryUrl, standbyUrl }: { primaryUrl: string; standbyUrl: string },
): Promise<void> {
  // The position of a record that is committed, thus sent whole. The server's current position may be inside of a record
  // whose rest is sent with the next commit only.
  const [row] = await withConnection(
    primaryUrl,
    (sql) => sql<{ written: string }[]>`SELECT pg_logical_emit_message(true, 'position', '')::text AS written`,
  )
  if (row === undefined) throw new Error('the primary names no position')
  await withConnection(standbyUrl, async (sql) => {
    const isReplayed = async () => {
      const rows = await sql`SELECT 1 WHERE pg_last_wal_replay_lsn() >= ${row.written}::pg_lsn`
      return rows.length > 0 ? true : null
    }
    await waitUntilReady(child, isReplayed, { timeoutMilliseconds: 10_000 })
  })
}

/** As the user of the servers, who must own every file. */
function copyDirectory(from: string, to: string): void {
  const user = unprivilegedUser()
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  const { status, stderr, error } = spawnSync('cp', ['-R', from, to], { encoding: 'utf8', cwd: '/', ...ids })
  if (status !== 0) throw new Error(`${from} could not be copied: ${stderr}`, { cause: error })
}

function atPort(url: string, port: number): string {
  const moved = new URL(url)
  moved.port = String(port)
  return moved.href
}
