import postgres, { type Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresProxy, startPostgresProxy } from '../../faults/inject/postgres-proxy.ts'
import { type FailingPostgres, startFailingPostgres } from '../../faults/inject/postgres-server.ts'

/** Few, as one test claims them all. */
const MAX_CONNECTIONS = 20

let server: FailingPostgres
let proxy: PostgresProxy
/** Connected without the proxy. */
let direct: Sql
let through: Sql

beforeAll(async () => {
  server = await startFailingPostgres({ maxConnections: MAX_CONNECTIONS })
  proxy = await startPostgresProxy({ upstream: server.url })
})
beforeEach(async () => {
  direct = postgres(server.url, { max: 1, onnotice: () => {} })
  const backoff = () => 0.01
  through = postgres(proxy.url, {
    max: 2,
    backoff,
    onnotice: () => {},
    connection: { application_name: 'service' },
  })
  await direct`CREATE TABLE IF NOT EXISTS note (text text PRIMARY KEY)`
})
afterEach(async () => {
  proxy.clear()
  await through.end({ timeout: 1 })
  await direct.end({ timeout: 1 })
})
afterAll(async () => {
  await proxy?.close()
  await server?.stop()
})

async function isStored(text: string): Promise<boolean> {
  return (await direct`SELECT 1 FROM note WHERE text = ${text}`).length === 1
}

const insert = (sql: Sql, text: string) =>
  sql.begin(async (tx) => {
    await tx`SELECT 1`
    await tx`INSERT INTO note VALUES (${text})`
  })

describe('a commit that is lost', () => {
  it('given its answer is lost, then the row exists and the caller loses its connection; the next commit is answered', async () => {
    const injected = proxy.loseCommit({ lose: 'answer', having: /INSERT INTO note/ })
    await through.begin((tx) => tx`SELECT 2`)
    await expect(insert(through, 'unanswered')).rejects.toThrow()
    expect(await isStored('unanswered')).toBe(true)
    expect(injected.lost).toEqual([['SELECT 1', 'INSERT INTO note VALUES ($1)']])
    await insert(through, 'answered')
    expect(await isStored('answered')).toBe(true)
  })

  it('given its request is lost, then the row does not exist', async () => {
    proxy.loseCommit({ lose: 'request', having: /INSERT INTO note/ })
    await expect(insert(through, 'never')).rejects.toThrow()
    expect(await isStored('never')).toBe(false)
    await insert(through, 'never')
    expect(await isStored('never')).toBe(true)
  })

  it('given a statement that is its own transaction, then its answer can be lost too, prepared or not', async () => {
    for (const text of ['first', 'prepared']) {
      proxy.loseCommit({ lose: 'answer', having: /INSERT INTO note/ })
      await expect(through`INSERT INTO note VALUES (${text})`).rejects.toThrow()
      expect(await isStored(text)).toBe(true)
    }
  })
})

describe('the connection', () => {
  it('given a cut, then open and new connections fail until the fault is cleared', async () => {
    await through`SELECT 1`
    proxy.cut()
    await expect(through`SELECT 1`).rejects.toThrow()
    proxy.clear()
    expect(await through`SELECT 1 AS one`).toEqual([{ one: 1 }])
  })

  it('given a delay, then answers come later', async () => {
    await through`SELECT 1`
    proxy.delay(60)
    const before = performance.now()
    await through`SELECT 1`
    expect(performance.now() - before).toBeGreaterThanOrEqual(59)
  })
})

describe('the server', () => {
  it('given it is read-only, then open sessions cannot write until it is writable again', async () => {
    await through`SELECT 1`
    await server.setReadOnly(true)
    await expect(insert(through, 'read-only')).rejects.toMatchObject({ code: '25006' })
    await server.setReadOnly(false)
    await insert(through, 'read-only')
  })

  it('given its connections are exhausted, then the service gets none until they are released', async () => {
    await through`SELECT 1`
    const { slots, release } = await server.exhaustConnections('service')
    expect(slots).toBeGreaterThan(MAX_CONNECTIONS / 2)
    await expect(through`SELECT 1`).rejects.toMatchObject({
      code: expect.stringMatching(/53300|57P01|CONNECTION_|ECONNRESET/),
    })
    await release()
    await expect.poll(() => through`SELECT 1 AS one`).toEqual([{ one: 1 }])
  })

  it('given it crashes, then committed rows exist after the restart, and others do not', async () => {
    await insert(through, 'kept')
    const open = through.begin(async (tx) => {
      await tx`INSERT INTO note VALUES ('half')`
      await server.crash()
      // The driver reports the lost connection of a transaction, not of a statement.
      await new Promise(() => {})
    })
    await expect(open).rejects.toThrow()
    await server.restart()
    expect(await through`SELECT text FROM note WHERE text IN ('kept', 'half')`).toEqual([{ text: 'kept' }])
  })
})
