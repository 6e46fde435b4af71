import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { lowerSessions } from '../../ops/standby/lower-sessions.ts'
import { type Cluster, copyCluster, forgetTemplate, initializeCluster, serverEnvironment } from './cluster.ts'
import { readerLogin } from './database-logins.ts'
import { withLimitedMemory } from './limited-memory.ts'
import { shortLivedDirectory } from './memory-directory.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { createDatabase } from './postgres-databases.ts'
import { endServerOn, killSessionsOf } from './postgres-leftover.ts'
import { assertOwnDirectory, canReach, type SystemUser, unprivilegedUser } from './postgres-user.ts'

/**
 * Settings of a server that has standbys. A standby that was down for a short time still finds the part of the log that
 * it missed. Commits are sent to the standbys at once, and not when the log writer next runs.
 */
const STREAMING = {
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '64MB',
  min_wal_size: '32MB',
  synchronous_commit: 'on',
}

export interface PostgresOptions {
  /**
   * Directory that keeps the server's data, password and log between runs. Absent: a temporary directory; the server
   * then does not wait for the disk (no fsync).
   */
  dataDir?: string
  /**
   * True to remove `dataDir` if the launcher ends without `stop`, because no later run needs the data. Default false.
   */
  isShortLived?: boolean
  /**
   * True to create the temporary directory in memory if there is room. Default false, because databases may be large.
   */
  inMemory?: boolean
  /** Port of the server. Absent: any free port. */
  port?: number
  /** Maximum number of concurrent sessions. Default 200. */
  maxConnections?: number
  /** True to write everything to the log that a standby needs. Default false, because this makes every write slower. */
  streams?: boolean
}

export interface PostgresServer {
  /** URL of the database `postgres`, with the superuser. */
  url: string
  /**
   * The data directory that is used. If the server's user cannot reach the option `dataDir`, it is below the temporary
   * directory.
   */
  dataDir: string
  /** Folder or package of the server's binaries. */
  origin: string
  child: Child
  /** Creates a database unless it exists. @returns its URL */
  createDatabase(name: string): Promise<string>
  /** Ends the server. Deletes the data directory if it is a temporary one. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server of the project's own on 127.0.0.1, with a random password. If a killed launcher left a
 * server running on the same data directory, that server is ended first.
 * @throws if there are no binaries, if the server of a running launcher uses `dataDir`, or if the server does not start
 * (with the end of its log)
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const user = unprivilegedUser()
  const binaries = findPostgresBinaries(user)
  const isKept = options.dataDir !== undefined
  const home = options.dataDir === undefined ? temporaryHome(user, options.inMemory) : keptHome(options.dataDir, user)
  const cluster = join(home, 'cluster')
  const place = { binaries, home, cluster, user }
  if (!existsSync(join(cluster, 'PG_VERSION'))) (isKept ? initializeCluster : copyCluster)(place)

  const { maxConnections = 200, streams = false, isShortLived = !isKept } = options
  const start = () => launch({ ...place, kept: isKept, isShortLived, port: options.port, maxConnections, streams })
  const { child, port } = await start().catch(async (error: unknown) => {
    if (isKept) throw error
    forgetTemplate(place)
    initializeCluster(place)
    return await start()
  })
  const password = readFileSync(join(home, 'password'), 'utf8')
  const leaveReaders = lowerSessions(() => child.pid, [readerLogin])
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  return {
    url,
    dataDir: home,
    origin: binaries.origin,
    child,
    createDatabase: (name) => createDatabase(url, name),
    stop: async () => {
      leaveReaders()
      await child.stop()
      await killSessionsOf(cluster)
      if (!isKept) rmSync(home, { recursive: true, force: true })
    },
  }
}

function temporaryHome(user: SystemUser | null, inMemory = false): string {
  const home = mkdtempSync(join(inMemory ? shortLivedDirectory() : tmpdir(), 'task-market-postgres-'))
  own(home, user)
  return home
}

function keptHome(dataDir: string, user: SystemUser | null): string {
  mkdirSync(dataDir, { recursive: true })
  own(dataDir, user)
  if (user === null || canReach(user, dataDir)) return dataDir
  // The repository lies below a directory that only root may enter. One place per data directory, found again.
  const home = join(tmpdir(), `task-market-postgres-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  mkdirSync(home, { recursive: true })
  assertOwnDirectory(home, user)
  own(home, user)
  return home
}

function own(directory: string, user: SystemUser | null): void {
  chmodSync(directory, 0o700)
  if (user !== null) chownSync(directory, user.uid, user.gid)
}

async function launch(
  options: Cluster & {
    kept: boolean
    isShortLived: boolean
    port: number | undefined
    maxConnections: number
    streams: boolean
  },
): Promise<{ child: Child; port: number }> {
  const { binaries, home, cluster, user, isShortLived } = options
  const port = options.port ?? (await findFreePort())
  await endServerOn(cluster)
  const child = await startChild({
    name: 'postgres',
    ...withLimitedMemory(binaries.postgres, ['-D', cluster, '-p', String(port), ...settings(options)]),
    cwd: home,
    env: serverEnvironment(),
    logFile: join(home, 'postgres.log'),
    stopSignal: 'SIGINT',
    ...(user === null ? {} : { user: { uid: user.uid, gid: user.gid } }),
    ...(isShortLived ? { temporaryDirectory: home } : {}),
  })
  try {
    await waitUntilReady(child, async () => (isReady(cluster) ? true : null))
    return { child, port }
  } catch (error) {
    await child.stop()
    // Between choosing and binding, another process may have taken a port that we were free to choose.
    if (options.port === undefined && child.readLog().includes('could not bind')) return launch(options)
    throw error
  }
}

function settings(options: { kept: boolean; maxConnections: number; streams: boolean }): string[] {
  const { kept, maxConnections, streams } = options
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    timezone: 'UTC',
    // Plans here are small: compiling them costs more than it saves.
    jit: 'off',
    // A recovery first writes all files to the disk: by one call, not by one for each of a thousand files.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    ...(kept ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    wal_level: 'minimal',
    max_wal_senders: '0',
    ...(streams ? STREAMING : {}),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Returns true if the server is ready. The eighth line of the server's pid file states this. */
function isReady(cluster: string): boolean {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[7]?.trim() === 'ready'
  } catch {
    return false
  }
}
