import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findProcessIdentity } from '../../ops/process/process-identity.ts'
import { endLeftovers, endOwnProcesses } from '../../ops/process/process-registry.ts'
import { type PostgresServer, startPostgres } from '../../scripts/postgres/postgres.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'

/** One for all tests: to make a cluster takes a second. */
const dataDir = mkdtempSync(join(tmpdir(), 'task-market-kept-'))
let tests = 0

beforeEach(() => {
  tests += 1
})
afterEach(() => endLeftovers())
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const write = (url: string) =>
  withConnection(url, (sql) => sql`CREATE TABLE ${sql(`kept_${tests}`)} AS SELECT 7 AS number`)
const read = (url: string) => withConnection(url, (sql) => sql`SELECT number FROM ${sql(`kept_${tests}`)}`)

/** Runs `work` on a server, which is stopped even when `work` throws. */
async function withServer(server: PostgresServer, work: (server: PostgresServer) => Promise<void>): Promise<void> {
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}

test('given a kept directory, and a pid file with the id of an unrelated process, when the server is started again, then its rows exist', async () => {
  await withServer(await startPostgres({ dataDir }), async ({ createDatabase }) => {
    await write(await createDatabase('a-b'))
  })
  const cluster = join(dataDir, 'cluster')
  writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n0 0\nready   \n`)
  await withServer(await startPostgres({ dataDir }), async ({ createDatabase }) => {
    expect(await read(await createDatabase('a-b'))).toEqual([{ number: 7 }])
  })
})

test('given a server whose launcher was killed, when started, then the old server is ended and the rows exist', async () => {
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', startAndWait(dataDir)], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(launcher.stdout, 'data')
  await write(String(url))
  const before = readPid()
  launcher.kill('SIGKILL')
  await once(launcher, 'exit')

  await withServer(await startPostgres({ dataDir }), async (server) => {
    expect(await read(server.url)).toEqual([{ number: 7 }])
    expect(readPid()).not.toBe(before)
    expect(findProcessIdentity(before)).toBeNull()
  })
})

test('given a short-lived directory, when the processes of a launcher are ended, then it is removed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-short-lived-'))
  await startPostgres({ dataDir: directory, isShortLived: true })
  expect(await endOwnProcesses()).toEqual(['postgres'])
  expect(existsSync(directory)).toBe(false)
})

test('given a server of a running launcher, when started, then the start is refused and the first server keeps running', async () => {
  await withServer(await startPostgres({ dataDir }), async ({ url }) => {
    await expect(startPostgres({ dataDir })).rejects.toThrow(`process ${process.pid} is using the database`)
    await write(url)
  })
})

function startAndWait(directory: string): string {
  return `
    import { startPostgres } from './scripts/postgres/postgres.ts'
    const server = await startPostgres({ dataDir: ${JSON.stringify(directory)} })
    process.stdout.write(server.url)
    setInterval(() => {}, 1000)`
}

function readPid(): number {
  return Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
}
