import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Child } from '../../ops/process/child.ts'
import { localDirectory } from '../../ops/process/paths.ts'
import { startPostgres } from '../postgres/postgres.ts'
import { type AnalystsStandby, startAnalystsStandby } from './analysts-standby.ts'
import type { KeptPorts } from './kept-ports.ts'
import type { Progress } from './progress.ts'

export interface DatabaseOptions {
  /** True to start with an empty database even if the last chain could be continued. */
  reset: boolean
  /** True to create a standby for analysts, if the stack uses the project's own server. */
  standby: boolean
  /** URL of a Postgres server to use. Undefined: the stack starts its own server. */
  databaseUrl: string | undefined
  ports: KeptPorts
  progress: Progress
}

/** The Postgres server of the stack. */
export interface Server {
  url: string
  /** Directory of the server's data; null if the stack did not start the server. */
  dataDir: string | null
  children: Child[]
  stop(): Promise<void>
}

/** Starts the stack's own Postgres server. If DATABASE_URL is set, uses the server of this URL instead. */
export async function openServer(options: DatabaseOptions): Promise<Server> {
  const { databaseUrl, reset, standby, ports, progress } = options
  if (databaseUrl !== undefined) {
    progress.say(`postgres: the server of DATABASE_URL, ${describeServer(databaseUrl)}`)
    return { url: databaseUrl, dataDir: null, children: [], stop: async () => {} }
  }
  const dataDir = join(localDirectory, 'postgres')
  if (reset) rmSync(dataDir, { recursive: true, force: true })
  const server = await progress.step(
    async () => startPostgres({ dataDir, port: await ports.take('postgres'), streams: standby }),
    ({ url, origin }) => `postgres ready on ${describeServer(url)} (${origin})`,
  )
  if (server.dataDir !== dataDir) {
    progress.say(`its data is in ${server.dataDir}: the user it runs as cannot enter ${dataDir}`)
  }
  return { url: server.url, dataDir: server.dataDir, children: [server.child], stop: server.stop }
}

/**
 * Starts the standby for analysts; null if there is none. A standby requires the files of its primary. Therefore the
 * server of DATABASE_URL cannot have one.
 */
export async function openStandby(
  { standby, ports, progress }: DatabaseOptions,
  parts: { databaseUrl: string; dataDir: string | null; isWanted(): boolean },
): Promise<AnalystsStandby | null> {
  const { databaseUrl, dataDir, isWanted } = parts
  if (!standby) return null
  if (dataDir === null) {
    progress.say('no standby of the server of DATABASE_URL is made: for SQL set READER_DATABASE_URL to a replica of it')
    return null
  }
  return await progress.step(
    async () =>
      startAnalystsStandby({
        primaryUrl: databaseUrl,
        dataDir,
        port: await ports.take('standby'),
        metricsPort: await ports.take('standbyMetrics'),
        log: (line) => progress.say(`standby: ${line}`),
        isWanted,
      }),
    (server) => `standby ready on ${describeServer(server.at(databaseUrl))}`,
  )
}

/**
 * Returns the URL of the operator's own replica for SQL, if the stack uses the server of DATABASE_URL; otherwise
 * undefined.
 */
export function findForeignReplica(): string | undefined {
  return process.env.DATABASE_URL === undefined ? undefined : process.env.READER_DATABASE_URL
}

/** Returns a text that tells why all programs use one database login, and what is therefore missing. */
export function describeLimitation(reason: string): string {
  return (
    `one database login for everything, because ${reason}: there is no standby, no SQL and no GraphQL for analysts. ` +
    'docs/operate/database.md describes how to prepare the server'
  )
}

/** Returns the host and the port of a server's URL. */
export function describeServer(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port === '' ? '5432' : port}`
}
