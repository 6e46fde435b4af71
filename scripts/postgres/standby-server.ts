import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type postgres from 'postgres'
import { type Child, type ChildEnd, startChild, waitUntilReady } from '../../ops/process/child.ts'
import { findFreePort } from '../../ops/process/ports.ts'
import { serverEnvironment } from './cluster.ts'
import { copyData, own, write } from './copy-data.ts'
import { withLimitedMemory } from './limited-memory.ts'
import { shortLivedDirectory } from './memory-directory.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { withConnection } from './postgres-databases.ts'
import { endServerOn, killSessionsOf } from './postgres-leftover.ts'
import { unprivilegedUser } from './postgres-user.ts'

/**
 * A physical standby: a copy of a primary server that follows the primary's write-ahead log. It keeps its port when it
 * is restarted.
 */
export interface StandbyServer {
  /** URL of the standby, with the database and the superuser of the primary's URL. */
  url: string
  /** Data directory of the standby. */
  cluster: string
  /** Resolves when the standby's current process has ended, for any reason. */
  ended(): Promise<ChildEnd>
  /** Resolves when the standby has replayed everything that the primary has written so far. */
  replayed(): Promise<void>
  /** Changes settings of the standby that take effect without a restart. Null restores the default. */
  configure(settings: Record<string, string | null>): Promise<void>
  /** Ends the standby at once, as a power failure would. */
  crash(): Promise<void>
  /** Starts the standby again on its data, after its process has ended. */
  restart(): Promise<void>
  /** Makes the standby an independent server, which no longer follows its primary. */
  promote(): Promise<void>
  /** Ends the standby, and starts a new copy of the primary on the same port. */
  replace(): Promise<void>
  /** Ends the standby and deletes its data. */
  stop(): Promise<void>
}

export interface StandbyOptions {
  /** Settings of the standby's configuration file, by name. */
  settings?: Record<string, string>
  /** URL whose login the standby uses to read the primary's log. Absent: the login of `primaryUrl`. */
  replicationUrl?: string
  /**
   * Directory of the standby's data while it runs. Existing content is deleted. Absent: a temporary directory, in
   * memory if there is room.
   */
  home?: string
  /** Port of the standby. Absent: any free port. */
  port?: number
}

/**
 * Copies a running primary (`startPostgres` with `streams`), and starts the copy on 127.0.0.1. The copy is deleted at
 * the end of the run. A later run therefore cannot start an outdated copy, and the standby need not wait for the disk.
 * @param primaryUrl URL of the primary, with its superuser
 */
export async function startStandbyServer(primaryUrl: string, options: StandbyOptions = {}): Promise<StandbyServer> {
  const { settings = {}, replicationUrl = primaryUrl } = options
  const home = await emptyHome(options.home)
  const cluster = join(home, 'cluster')
  let child: Child | null = null
  const copy = async () => {
    rmSync(cluster, { recursive: true, force: true })
    await copyPrimary(primaryUrl, cluster, { ...settings, primary_conninfo: connectionOf(replicationUrl) })
  }
  const launch = async (at: number) => {
    await endServerOn(cluster)
    const server = await startServer({ primaryUrl, home, cluster, port: at })
    // From now on `stop` ends it, ready or not.
    child = server
    await untilReady(server)
  }
  const end = async () => {
    await child?.stop()
    child = null
    await killSessionsOf(cluster)
  }
  const requireChild = (): Child => {
    if (child === null) throw new Error('the standby does not run')
    return child
  }
  const stop = async () => {
    await end()
    rmSync(home, { recursive: true, force: true })
  }
  let { port } = options
  try {
    await copy()
    if (port === undefined) port = await launchOnFreePort(launch)
    else await launch(port)
  } catch (error) {
    await stop()
    throw error
  }
  const keptPort = port
  const url = atPort(primaryUrl, keptPort)
  return {
    url,
    cluster,
    ended: () => requireChild().ended,
    replayed: () => waitForReplay(requireChild(), { primaryUrl, standbyUrl: url }),
    configure: (changes) => withConnection(url, (sql) => configure(sql, changes)),
    crash: async () => {
      const { pid, ended } = requireChild()
      process.kill(pid, 'SIGQUIT')
      await ended
      child = null
    },
    restart: () => launch(keptPort),
    promote: async () => {
      await withConnection(url, (sql) => sql`SELECT pg_promote(wait => true)`)
    },
    replace: async () => {
      await end()
      await copy()
      await launch(keptPort)
    },
    stop,
  }
}

/** Creates an empty directory for the standby. Deletes what an earlier run left there. */
async function emptyHome(directory?: string): Promise<string> {
  const home = directory ?? mkdtempSync(join(shortLivedDirectory(), 'task-market-standby-'))
  await endServerOn(join(home, 'cluster'))
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { mode: 0o700 })
  own(home)
  return home
}

/** Returns `url` with the port of another server. The login and the database stay the same. */
export function atServer(url: string, server: string): string {
  return atPort(url, Number(new URL(server).port))
}

/**
 * Starts a server on a free port. Tries another port if another process has taken the port meanwhile. @returns the port
 */
async function launchOnFreePort(launch: (port: number) => Promise<void>): Promise<number> {
  const port = await findFreePort()
  try {
    await launch(port)
    return port
  } catch (error) {
    if (error instanceof Error && error.message.includes('could not bind')) return await launchOnFreePort(launch)
    throw error
  }
}

/** Copies the data directory of a running server, and configures the copy as a standby of this server. */
async function copyPrimary(primaryUrl: string, cluster: string, settings: Record<string, string>): Promise<void> {
  // What was copied of the log may be torn: the standby reads it from its primary.
  await copyData(primaryUrl, cluster, { log: 'none' })
  write(join(cluster, 'standby.signal'), '')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(cluster, 'postgresql.auto.conf'), lines.join(''))
}

/** Returns the connection to the primary, in the syntax of the standby's configuration file. */
function connectionOf(url: string): string {
  const { hostname, port, username, password } = new URL(url)
  return `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
}

/** Starts the process of the standby. */
async function startServer(options: {
  primaryUrl: string
  home: string
  cluster: string
  port: number
}): Promise<Child> {
  const { primaryUrl, home, cluster, port } = options
  const user = unprivilegedUser()
  // Limits below those of its primary keep a standby from replaying.
  const [limits] = await withConnection(
    primaryUrl,
    (sql) => sql<{ connections: string; senders: string }[]>`
      SELECT current_setting('max_connections') AS connections, current_setting('max_wal_senders') AS senders`,
  )
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    max_connections: limits?.connections ?? '200',
    max_wal_senders: limits?.senders ?? '4',
    fsync: 'off',
  }
  return await startChild({
    name: 'standby',
    ...withLimitedMemory(findPostgresBinaries(user).postgres, [
      '-D',
      cluster,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]),
    cwd: home,
    env: serverEnvironment(),
    logFile: join(home, 'standby.log'),
    stopSignal: 'SIGINT',
    temporaryDirectory: home,
    ...(user !== null && { user: { uid: user.uid, gid: user.gid } }),
  })
}

/** Waits until the standby accepts connections. It accepts them when its data is consistent. */
async function untilReady(child: Child): Promise<void> {
  try {
    const isReady = async () => (child.readLog().includes('ready to accept') ? true : null)
    await waitUntilReady(child, isReady)
  } catch (error) {
    await child.stop()
    throw error
  }
}

async function configure(sql: postgres.Sql, changes: Record<string, string | null>): Promise<void> {
  for (const [name, value] of Object.entries(changes)) {
    await sql.unsafe(value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`)
  }
  await sql`SELECT pg_reload_conf()`
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
    await waitUntilReady(child, isReplayed)
  })
}

function atPort(url: string, port: number): string {
  const movedUrl = new URL(url)
  movedUrl.port = String(port)
  return movedUrl.href
}
