import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { type PostgresProxy, startPostgresProxy } from '../../faults/inject/postgres-proxy.ts'
import { createSignal } from '../../faults/inject/signal.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

let database: TestDatabase
let proxy: PostgresProxy
/** A connection without the proxy. */
let direct: Database
let sql: Database

beforeEach(async () => {
  database = await createTestDatabase()
  proxy = await startPostgresProxy({ upstream: database.url })
  direct = connectDatabase({ url: database.url, max: 1 })
  sql = connectDatabase({ url: proxy.url, max: 1 })
  await direct`create table public.note (text text)`
})
afterEach(async () => {
  await sql.end({ timeout: 1 })
  await direct.end()
  await proxy.close()
  await database.drop()
})

const listNotes = async () => (await direct<{ text: string }[]>`select text from public.note`).map(({ text }) => text)

describe('a transaction whose connection is lost while its function waits', () => {
  it.each(['writes on', 'throws', 'returns'] as const)(
    'given the function then %s, then none of its statements is part of the next transaction on that connection',
    async (way) => {
      const [isIn, answer, isBack] = [createSignal(), createSignal(), createSignal()]
      const lost = sql.begin(async (tx) => {
        await tx`select 1`
        isIn.resolve()
        await answer.promise
        isBack.resolve()
        if (way === 'throws') throw new Error('no node')
        if (way === 'writes on') await tx`insert into public.note values ('of the lost one')`
      })
      const rejected = expect(lost).rejects.toThrow()
      await isIn.promise
      proxy.cut()
      await rejected
      proxy.clear()

      const undone = sql.begin(async (tx) => {
        await tx`insert into public.note values ('first half')`
        answer.resolve()
        await isBack.promise
        // Every statement of the lost one is sent by now, and answered before the next.
        await nextTurn()
        await tx`insert into public.note values ('second half')`
        throw new Error('the rule says no')
      })
      await expect(undone).rejects.toThrow('the rule says no')
      expect(await listNotes()).toEqual([])
    },
  )

  it('given no other user of the connection, then the process continues', async () => {
    const [isIn, answer] = [createSignal(), createSignal()]
    const lost = sql.begin(async (tx) => {
      await tx`select 1`
      isIn.resolve()
      await answer.promise
      await tx`insert into public.note values ('of the lost one')`
    })
    const rejected = expect(lost).rejects.toThrow()
    await isIn.promise
    proxy.cut()
    await rejected
    answer.resolve()
    await nextTurn()
    await nextTurn()
    proxy.clear()
    expect(await sql`select 7 as seven`).toEqual([{ seven: 7 }])
    expect(await listNotes()).toEqual([])
  })
})

describe('any other transaction', () => {
  it('given it returns or throws, then it is committed or rolled back, and its error is the function’s own', async () => {
    expect(await sql.begin(async (tx) => await tx`insert into public.note values ('kept') returning text`)).toEqual([
      { text: 'kept' },
    ])
    const thrown = sql.begin(async (tx) => {
      await tx`insert into public.note values ('undone')`
      throw new Error('the rule says no')
    })
    await expect(thrown).rejects.toThrow('the rule says no')
    expect(await listNotes()).toEqual(['kept'])
  })
})
