import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findProcessIdentity } from '../../ops/process/process-identity.ts'
import { endLeftovers } from '../../ops/process/process-registry.ts'
import { type PostgresServer, startPostgres } from '../../scripts/postgres/postgres.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'
import { endServerOn, killSessionsOf } from '../../scripts/postgres/postgres-leftover.ts'

let dataDir: string
let servers: PostgresServer[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'task-market-kept-'))
  servers = []
})

afterEach(async () => {
  // In reverse order: `stop` of a server that has ended also ends every session on its directory.
  for (const server of servers.toReversed()) await server.stop()
  await endLeftovers()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(options: { dataDir?: string } = {}): Promise<PostgresServer> {
  const server = await startPostgres(options)
  servers.push(server)
  return server
}

/**
 * The stopped process of a session: like one in a function that cannot be interrupted, it does not handle signals.
 */
async function openStuckSession({ url }: PostgresServer): Promise<number> {
  const sql = postgres(url, { max: 1, fetch_types: false })
  const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
  if (row === undefined) throw new Error('the session has no process id')
  process.kill(row.pid, 'SIGSTOP')
  await sql.end({ timeout: 0 })
  return row.pid
}

/** Like the out-of-memory killer: SIGKILL, without notice to the sessions. */
async function kill({ child }: PostgresServer): Promise<void> {
  process.kill(child.pid, 'SIGKILL')
  await child.ended
}

const untilGone = (pid: number) => expect.poll(() => findProcessIdentity(pid), { interval: 5 }).toBeNull()

describe('given a session that outlives its killed server', () => {
  test('when a server is started on the same directory, then the session is ended and the rows exist', async () => {
    const first = await start({ dataDir })
    await withConnection(first.url, (sql) => sql`CREATE TABLE kept AS SELECT 7 AS number`)
    const session = await openStuckSession(first)
    await kill(first)
    expect(findProcessIdentity(session)).not.toBeNull()

    const { url } = await start({ dataDir })

    await untilGone(session)
    expect(await withConnection(url, (sql) => sql`SELECT number FROM kept`)).toEqual([{ number: 7 }])
  })

  test('when the server is stopped, then the session is ended and the temporary directory removed', async () => {
    const server = await start()
    const session = await openStuckSession(server)
    await kill(server)
    expect(findProcessIdentity(session)).not.toBeNull()

    await server.stop()

    await untilGone(session)
    expect(existsSync(server.dataDir)).toBe(false)
  })

  test('when the directory was deleted meanwhile, then the session is ended', async () => {
    const server = await start()
    const session = await openStuckSession(server)
    await kill(server)
    rmSync(server.dataDir, { recursive: true })

    await endServerOn(join(server.dataDir, 'cluster'))

    expect(findProcessIdentity(session)).toBeNull()
  })

  test('when its sessions are ended, then other processes in the directory, and the sessions of running servers, keep running', async () => {
    const [server, other] = [await start(), await start()]
    const cluster = join(server.dataDir, 'cluster')
    const [session, sessionOfOther] = [await openStuckSession(server), await openStuckSession(other)]
    // Like an operator's shell: the path is among the arguments, but not the first.
    const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'postgres: '], {
      cwd: cluster,
      stdio: 'ignore',
    })
    const ended = once(bystander, 'exit')
    try {
      await once(bystander, 'spawn')
      await kill(server)

      await killSessionsOf(cluster)

      expect(findProcessIdentity(session)).toBeNull()
      expect(findProcessIdentity(bystander.pid ?? 0)).not.toBeNull()
      expect(findProcessIdentity(sessionOfOther)).not.toBeNull()
    } finally {
      process.kill(sessionOfOther, 'SIGCONT')
      bystander.kill('SIGKILL')
      await ended
    }
    await withConnection(other.url, async (sql) => {
      await killSessionsOf(join(other.dataDir, 'cluster'))
      expect(await sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
    })
  })
})
