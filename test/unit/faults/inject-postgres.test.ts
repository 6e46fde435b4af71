import postgres, { type Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresProxy, startPostgresProxy } from '../../faults/inject/postgres-proxy.ts'
import { type FailingPostgres, startFailingPostgres } from '../../faults/inject/postgres-server.ts'

let server: FailingPostgres
let proxy: PostgresProxy
/** Connected without the proxy. */
let direct: Sql
let through: Sql

beforeAll(async () => {
  server = await startFailingPostgres()
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
