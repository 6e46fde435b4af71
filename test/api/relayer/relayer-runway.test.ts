import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { readRelayerRunway } from '../../../api/relayer/transactions/read-relayer-runway.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const relayer: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`
const DAY = 86_400

let database: TestDatabase
let sql: Database
beforeAll(async () => {
  database = await createTestDatabase()
  sql = connectDatabase({ url: database.url, max: 1 })
  await migrate(sql)
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})
beforeEach(async () => {
  await sql`delete from attempts`
})

/** Stores a transaction that may cost 700 wei, signed `ago` seconds ago. */
async function spend(nonce: bigint, ago: number, { maxFeePerGas = 7n, address = relayer } = {}) {
  await sql`insert into relayers ${sql({ address, nextNonce: 0n })} on conflict do nothing`
  const hash = aHash()
  const call = { intentId: null, raw: aHash(), purpose: 'cancellation', gasLimit: 100n } as const
  await insertAttempt(sql, { ...call, relayer: address, nonce, hash, maxFeePerGas, maxPriorityFeePerGas: 1n })
  await sql`update attempts set created_at = now() - make_interval(secs => ${ago}) where hash = ${hash}`
}

async function daysOf(balanceWei: bigint) {
  const [runway] = await readRelayerRunway(sql, [{ address: relayer, balanceWei }])
  return runway?.days
}

it('divides the balance by what the last seven days cost at most', async () => {
  await spend(0n, 30 * DAY)
  await spend(1n, 6 * DAY)
  await spend(2n, 10)
  // 1,400 wei in seven days.
  expect(await daysOf(3_000n)).toBe(15)
  expect(await daysOf(0n)).toBe(0)
})

it('counts a transaction and its replacements once, with the highest fee', async () => {
  await spend(0n, 8 * DAY)
  await spend(1n, 60)
  await spend(1n, 30, { maxFeePerGas: 14n })
  expect(await daysOf(2_000n)).toBe(10)
})

it('measures a relayer that is new by its own days, one at least', async () => {
  await spend(0n, 2 * DAY)
  await spend(1n, 60)
  expect(await daysOf(7_000n)).toBeCloseTo(10, 3)
  await sql`update attempts set created_at = now()`
  expect(await daysOf(7_000n)).toBe(5)
})

it('has no days for a relayer without a write in seven days, beside one that has', async () => {
  await spend(0n, 8 * DAY)
  await spend(5n, 60, { address: other })
  const funds = [relayer, other].map((address) => ({ address, balanceWei: 1_400n }))
  expect(await readRelayerRunway(sql, funds)).toEqual([
    { address: relayer, days: null },
    { address: other, days: 2 },
  ])
})
