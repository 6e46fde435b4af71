import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, isDatabaseUnavailable } from '../../../api/db/client.ts'
import { withQueryTimeout } from '../../../api/db/query-timeout.ts'
import { createSignal } from '../../faults/inject/signal.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

/** Long enough for a busy machine to answer in. */
const TIMEOUT_MS = 1_500

let database: TestDatabase
let sql: Database
beforeAll(async () => {
  database = await createTestDatabase()
  sql = withQueryTimeout(postgres(database.url, { max: 1 }) as unknown as Database, TIMEOUT_MS)
  await sql`create table note (text text)`
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

describe('given no connection becomes free', () => {
  it.each([
    ['a statement', () => sql`select 2`],
    ['a statement that is a text', () => sql.unsafe('select $1', ['2'])],
    ['a transaction', () => sql.begin((tx) => tx`insert into note values ('after its end was told')`)],
  ])('then %s ends in time, as with a database that is down, and the next one succeeds', async (_, wait) => {
    const [isHeld, release] = [createSignal(), createSignal()]
    const holder = sql.begin(async (tx) => {
      await tx`select 1`
      isHeld.resolve()
      await release.promise
    })
    await isHeld.promise
    const thrown = await Promise.resolve(wait()).catch((error: unknown) => error)
    expect(isDatabaseUnavailable(thrown)).toBe(true)
    release.resolve()
    await holder
    expect(await sql`select * from note`).toEqual([])
  })
})

describe('given answers in time', () => {
  it('then statements, fragments and transactions are not changed', async () => {
    const part = sql`where n > ${1}`
    expect(await sql`select n from generate_series(1, 3) n ${part} order by n`).toEqual([{ n: 2 }, { n: 3 }])
    await expect(sql`select no such thing`).rejects.toMatchObject({ name: 'PostgresError' })
    expect(await sql.begin('read only', async (tx) => await tx`select ${tx`1`} as one`)).toEqual([{ one: 1 }])
    await expect(sql.begin(() => Promise.reject(new Error('the rule says no')))).rejects.toThrow('the rule says no')
  })

  it('then a transaction has no timeout', async () => {
    const seconds = TIMEOUT_MS / 1000 + 0.3
    await expect(sql.begin(async (tx) => await tx`select pg_sleep(${seconds})`)).resolves.toHaveLength(1)
  })
})
