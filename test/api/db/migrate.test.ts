import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let sql: Database
beforeAll(async () => {
  database = await createTestDatabase()
  sql = connectDatabase({ url: database.url, marketSchema: 'market', max: 4 })
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

describe('migrate', () => {
  it('given several processes start at once, then each file is applied once', async () => {
    const applied = await Promise.all([migrate(sql), migrate(sql), migrate(sql)])
    const names = applied.flat()
    expect(names).toContain('0001.sql')
    expect(new Set(names).size).toBe(names.length)
    expect(await migrate(sql)).toEqual([])
  })

  it('given a file changed after it was applied, then migration fails', async () => {
    await sql`update service.migrations set sha256 = 'another' where name = '0001.sql'`
    await expect(migrate(sql)).rejects.toThrow('0001.sql was changed')
  })
})

describe('connectDatabase', () => {
  it('given whole numbers of any size, then bigint; given columns with underscores, then camelCase', async () => {
    const [row] = await sql`
      select 9007199254740993::int8 as an_int8, 115792089237316195423570985008687907853269984665640564039457584007913129639935::numeric as a_numeric,
        '{"snake_key": 1}'::jsonb as json`
    expect(row).toEqual({ anInt8: 9007199254740993n, aNumeric: 2n ** 256n - 1n, json: { snake_key: 1 } })
  })
})

describe('the timeout of a statement', () => {
  it('given a longer one, then the database ends it; a migration has no timeout', async () => {
    const fresh = await createTestDatabase()
    const other = connectDatabase({ url: fresh.url, marketSchema: 'market', max: 1 })
    const bounded = connectDatabase({ url: fresh.url, marketSchema: 'market', max: 2, statementTimeoutMs: 100 })
    await expect(bounded`select pg_sleep(5)`).rejects.toThrow('statement timeout')
    let migrating: Promise<string[]> | undefined
    await other.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(8453001)`
      migrating = migrate(bounded)
      await tx`select pg_sleep(0.4)`
    })
    expect(await migrating).toContain('0001.sql')
    await bounded.end()
    await other.end()
    await fresh.drop()
  })
})
