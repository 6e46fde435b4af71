import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { MIGRATED_CHANNEL, migrate } from '../../../api/db/migrate.ts'
import { foldWrites } from '../../../api/intents/fold-writes.queries.ts'
import { findBoundIntent, findIntentByPayment } from '../../../api/intents/intents.queries.ts'
import { relayModeOfIntent } from '../../../api/intents/relayed-call.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let sql: Database
beforeAll(async () => {
  database = await createTestDatabase()
  sql = connectDatabase({ url: database.url, max: 4 })
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

describe('migrate', () => {
  it('given several processes start at once, then each file is applied once, and processes that run are notified', async () => {
    const notified = new Promise<string>((resolve) => {
      void sql.listen(MIGRATED_CHANNEL, resolve)
    })
    await sql.listen(MIGRATED_CHANNEL, () => {})
    const applied = await Promise.all([migrate(sql), migrate(sql), migrate(sql)])
    const names = applied.flat()
    expect(names).toContain('0001.sql')
    expect(new Set(names).size).toBe(names.length)
    expect(await migrate(sql)).toEqual([])
    await notified
  })

  it('given a newer release’s file that needs a newer service, then an older one does not start, and says what to do', async () => {
    await sql`insert into service.migrations (name, sha256, oldest_version) values ('0900.sql', '', 99), ('0901.sql', '', 99)`
    await expect(migrate(sql)).rejects.toThrow(
      /^this service has data version \d+, and migration 0900\.sql of its database needs 99 or newer: start a release that has this migration/,
    )
    await sql`delete from service.migrations where name like '090_.sql'`
    expect(await migrate(sql)).toEqual([])
  })

  it('given a file changed after it was applied, then migration fails', async () => {
    await sql`update service.migrations set sha256 = 'another' where name = '0001.sql'`
    await expect(migrate(sql)).rejects.toThrow('0001.sql was changed')
  })
})

describe('the migration of folded writes', () => {
  it('given completed writes of before, of every mode, then they are folded, read, and found by their payments', async () => {
    const older = await createTestDatabase()
    const other = connectDatabase({ url: older.url, max: 1 })
    await migrateUntil(other, '0056.sql')
    const modes = ['paid', 'prepaid', 'bound', 'signed', 'open', null] as const
    for (const [number, relayMode] of modes.entries()) {
      const isPaid = relayMode === 'paid' || relayMode === 'prepaid' || relayMode === 'bound'
      const funds =
        isPaid || relayMode === null ? { paymentAsset: '0x0a', paymentNonce: `0x${number}`, paymentValue: 7n } : {}
      const row = {
        id: idOf(number),
        idempotencyKey: idOf(number),
        operation: 'tasks.create',
        fingerprint: Buffer.alloc(32),
        status: 'completed',
        watched: false,
        kind: relayMode === null ? 'transfer' : 'market',
        relayMode,
        chainIntentId: `0x${number}`,
        initiator: '0x01',
        target: '0x02',
        calldata: '0x1234',
        txHash: `0x${number}`,
        ...funds,
        paymentValidAfter: 0n,
        paymentValidBefore: 9n,
        paymentSignature: isPaid ? '0x51' : null,
        paymentSalt: relayMode === 'bound' ? `0x${'5a'.repeat(32)}` : null,
        actorSignature: relayMode === 'signed' ? '0x51' : null,
        suffix: relayMode === 'signed' ? ':0x03' : '',
      }
      await other`insert into service.intents ${other(row)}`
    }
    await other`update service.intents set status_at = now() - interval '11 days'`

    expect(await migrate(other)).toContain('0056.sql')
    expect(await foldWrites(other, { limit: 10 })).toBe(modes.length)
    expect(await foldWrites(other, { limit: 10 })).toBe(0)

    for (const [number, relayMode] of modes.entries()) {
      const intent = await findBoundIntent(other, idOf(number))
      expect(intent).toMatchObject({ status: 'completed', txHash: `0x${number}`, calldata: '0x', facts: {} })
      expect(intent !== null && relayModeOfIntent(intent)).toBe(relayMode)
      const funded = await findIntentByPayment(other, { asset: '0x0a', payer: '0x01', nonce: `0x${number}` })
      expect(funded?.id).toBe(relayMode === 'signed' || relayMode === 'open' ? undefined : idOf(number))
    }
    // Of a delivery that was signed with its files, that it was is kept.
    expect(await other`select suffix from service.intents where relay_mode = 'signed'`).toEqual([{ suffix: ':' }])
    await other.end()
    await older.drop()
  })

  const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
})

/** Brings a new database up to the file before one, as `migrate` of an older version. */
async function migrateUntil(sql: Database, end: string): Promise<void> {
  await sql`create schema service`
  await sql`create table service.migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`
  const directory = join(import.meta.dirname, '../../../api/db/migrations')
  for (const name of (await readdir(directory)).toSorted().filter((file) => file < end)) {
    const text = await readFile(join(directory, name), 'utf8')
    await sql.unsafe(text.replace('create schema if not exists service;', ''))
    await sql`insert into service.migrations ${sql({ name, sha256: hash('sha256', text) })}`
  }
}

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
    const other = connectDatabase({ url: fresh.url, max: 1 })
    const bounded = connectDatabase({ url: fresh.url, max: 2, statementTimeoutMs: 100 })
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
