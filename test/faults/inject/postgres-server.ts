import { appendFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { copyData, makeDirectory, write } from '../../../scripts/postgres/copy-data.ts'
import { shortLivedDirectory } from '../../../scripts/postgres/memory-directory.ts'
import { type PostgresServer, startPostgres } from '../../../scripts/postgres/postgres.ts'
import { killSessionsOf } from '../../../scripts/postgres/postgres-leftover.ts'
import { pollUntil } from '../poll-until.ts'

/** A Postgres server of one environment, which can fail as a whole; a crash loses no committed transaction. */
export interface FailingPostgres {
  /** Its administrative database; stays the same through crashes. */
  url: string
  createDatabase(name: string): Promise<string>
  /** Ends it as a power failure would: no checkpoint, every session lost. */
  crash(): Promise<void>
  /** Starts it again on the same data and port, once it has ended; it recovers from its log. */
  restart(): Promise<void>
  /** A copy of its data, with everything that was committed until now. */
  copyData(log?: 'whole' | 'none'): Promise<string>
  /** Starts it at the same port on this copy, or on the data of another server that has ended; one that runs is ended as by a power failure. */
  replaceData(copy: string): Promise<void>
  /** Keeps its log in a directory from now on, as a restore to a point in time needs it; it is started again for that. */
  archive(): Promise<string>
  /** Resolves when everything that is committed is in the archive. */
  archived(): Promise<void>
  /**
   * Starts it at the same port on a copy without log, brought to a point in time by the archive; a server that runs is ended as by a
   * power failure.
   * @param until a time of the server that a later commit in the archive follows
   */
  restoreTo(copy: string, from: { archive: string; until: string }): Promise<void>
  /** Makes every new transaction read-only, in open sessions too; or writable again. */
  setReadOnly(isReadOnly: boolean): Promise<void>
  /** Claims every free connection, and ends those of `from` (an application name). */
  exhaustConnections(from: string): Promise<{ slots: number; release(): Promise<void> }>
  stop(): Promise<void>
}

const exhauster = 'exhauster'

/** Standbys can follow it. */
export async function startFailingPostgres(): Promise<FailingPostgres> {
  const dataDir = mkdtempSync(join(shortLivedDirectory(), 'task-market-failing-postgres-'))
  let server = await startPostgres({ dataDir, isShortLived: true, streams: true })
  const { url } = server
  // Only the server process ends, not the machine: committed data is readable without waiting for a disk.
  await administer(url, async (sql) => {
    await sql`ALTER SYSTEM SET fsync = off`
    await sql`SELECT pg_reload_conf()`
  })
  const port = Number(new URL(url).port)
  const restart = async () => {
    await server.child.ended
    server = await startPostgres({ dataDir, isShortLived: true, port, streams: true })
  }
  const replaceData = async (copy: string) => {
    if (server.child.findEnd() === null) await crash(server)
    const cluster = join(server.dataDir, 'cluster')
    await killSessionsOf(cluster)
    rmSync(cluster, { recursive: true })
    renameSync(copy, cluster)
    await restart()
  }
  let copies = 0
  return {
    url,
    createDatabase: (name) => server.createDatabase(name),
    crash: () => crash(server),
    restart,
    copyData: async (log = 'whole') => {
      copies += 1
      const copy = join(server.dataDir, `copy-${copies}`)
      await copyData(url, copy, { log })
      return copy
    },
    replaceData,
    archive: async () => {
      const directory = join(server.dataDir, 'archive')
      makeDirectory(directory)
      await administer(url, async (sql) => {
        await sql`ALTER SYSTEM SET archive_mode = on`
        await sql.unsafe(`ALTER SYSTEM SET archive_command = 'cp %p ${directory}/%f'`)
      })
      await crash(server)
      await restart()
      return directory
    },
    archived: () =>
      administer(url, async (sql) => {
        const [row] = await sql<{ name: string }[]>`SELECT pg_walfile_name(pg_switch_wal()) AS name`
        const isArchived = async () => {
          const [archiver] = await sql<
            { last: string | null }[]
          >`SELECT last_archived_wal AS last FROM pg_stat_archiver`
          return (archiver?.last ?? '') >= (row?.name ?? '')
        }
        await pollUntil('the log to be archived', isArchived)
      }),
    restoreTo: async (copy, { archive, until }) => {
      const settings = {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: until,
        recovery_target_action: 'promote',
      }
      const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
      appendFileSync(join(copy, 'postgresql.auto.conf'), lines.join(''))
      write(join(copy, 'recovery.signal'), '')
      await replaceData(copy)
    },
    setReadOnly: (isReadOnly) => setReadOnly(url, isReadOnly),
    exhaustConnections: (from) => exhaustConnections(url, from),
    stop: async () => {
      await server.stop()
      rmSync(server.dataDir, { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** SIGQUIT is the immediate shutdown of `pg_ctl stop -m immediate`. */
async function crash({ child }: PostgresServer): Promise<void> {
  process.kill(child.pid, 'SIGQUIT')
  await child.ended
}

async function setReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  await administer(url, async (sql) => {
    if (isReadOnly) await sql`ALTER SYSTEM SET default_transaction_read_only = on`
    else await sql`ALTER SYSTEM RESET default_transaction_read_only`
    await sql`SELECT pg_reload_conf()`
  })
  await untilSessionsFollow(url, isReadOnly)
}

/** A session that may write independent of the server's default. */
async function administer<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { default_transaction_read_only: false } })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Sessions apply a new setting when they are idle next: a new session that has it proves that all were told. */
async function untilSessionsFollow(url: string, isReadOnly: boolean): Promise<void> {
  for (;;) {
    const probe = postgres(url, { max: 1, onnotice: () => {} })
    try {
      const [row] = await probe<
        { setting: string }[]
      >`SELECT current_setting('default_transaction_read_only') AS setting`
      if ((row?.setting === 'on') === isReadOnly) return
    } finally {
      await probe.end()
    }
  }
}

async function exhaustConnections(url: string, from: string) {
  const admin = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: exhauster } })
  // The driver connects with its first statement: this connection must be open before all are claimed.
  await admin`SELECT 1`
  const taken: Sql[] = []
  const victims = async () => {
    const ended = await admin`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${from}`
    return ended.length
  }
  // Ended sessions reconnect meanwhile: repeat until none is left to end.
  do {
    while (await takeOne(url, taken));
  } while ((await victims()) > 0)
  return {
    slots: taken.length,
    release: async () => {
      await Promise.all([admin, ...taken].map((sql) => sql.end()))
    },
  }
}

/** @returns false when the server has no connection left */
async function takeOne(url: string, taken: Sql[]): Promise<boolean> {
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: exhauster },
  })
  try {
    await sql`SELECT 1`
    taken.push(sql)
    return true
  } catch (error) {
    await sql.end()
    if (error instanceof postgres.PostgresError && error.code === '53300') return false
    throw error
  }
}
