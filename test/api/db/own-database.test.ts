import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { requireOwnDatabase } from '../../../api/db/own-database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let sql: Database
beforeAll(async () => {
  database = await createTestDatabase()
  sql = connectDatabase({ url: database.url, max: 4 })
  await migrate(sql)
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const ours: Address = `0x${'a1'.repeat(20)}`
const another: Address = `0x${'b2'.repeat(20)}`

describe('a database', () => {
  it('given processes of one deployment start on it, in parallel and later, then all are admitted', async () => {
    const start = () => requireOwnDatabase(sql, { chainId: 8453, forwarder: ours })
    await Promise.all([start(), start(), start()])
    await start()
  })

  it.each([
    ['another forwarder', 8453, another],
    ['another chain', 84532, ours],
  ])('given one of %s connects by mistake, then it does not start', async (_name, chainId, forwarder) => {
    await expect(requireOwnDatabase(sql, { chainId, forwarder })).rejects.toThrow(
      `this database belongs to the forwarder ${ours} on chain 8453, and this process uses ${forwarder} on chain ${chainId}`,
    )
  })
})
