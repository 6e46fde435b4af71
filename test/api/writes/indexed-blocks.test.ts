import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { createIndexedBlocks, type IndexedBlocks } from '../../../api/writes/indexed-blocks.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts'
import { countStatements } from '../read-model/counted-statements.ts'
import { aStartedApi } from './started-api.ts'

// No indexer runs here: a test is the indexer, by the row of its head and the notification.
const api = aStartedApi()
beforeEach(() => indexBlock(1n))

async function indexBlock(blockNumber: bigint): Promise<void> {
  await api.sql`delete from indexed_head`
  await api.sql`insert into indexed_head ${api.sql({ blockNumber, blockTimestamp: 1n, checkpoint: '' })}`
}

const notify = (payload: string) => api.sql.notify('market_head', payload)
const AN_HOUR_MS = 3_600_000
const forAWhile = () => AbortSignal.timeout(30_000)

describe('a wait for an indexed block', () => {
  let blocks: IndexedBlocks
  let count: () => number
  beforeEach(async () => {
    const counted = countStatements(api.sql)
    count = counted.count
    blocks = createIndexedBlocks(counted.sql)
    await blocks.start()
  })
  afterEach(() => blocks.stop())

  it('given the block is indexed already, then one statement', async () => {
    const before = count()
    expect(await blocks.wait(1n, forAWhile())).toBe(true)
    expect(count() - before).toBe(1)
  })

  it('given notifications, then ten blocks one after the other are seen without a poll', async () => {
    const notified = createIndexedBlocks(api.sql, AN_HOUR_MS)
    await notified.start()
    for (let block = 2n; block < 12n; block += 1n) {
      const waited = notified.wait(block, forAWhile())
      await indexBlock(block)
      await notify(String(block))
      expect(await waited).toBe(true)
    }
    await notified.stop()
  })

  it('given a notification of a block that is not indexed, or no number, then the rows decide', async () => {
    const waited = blocks.wait(5n, AbortSignal.timeout(1_200))
    await notify('7')
    await notify('many')
    expect(await waited).toBe(false)
  })

  it('given notifications of earlier blocks, then no statement for them', async () => {
    const waited = blocks.wait(50n, AbortSignal.timeout(400))
    await expect.poll(count).toBeGreaterThan(0)
    const before = count()
    for (let block = 2; block < 40; block += 1) await notify(String(block))
    expect(await waited).toBe(false)
    expect(count() - before).toBeLessThan(3)
  })

  it('given a block that is indexed while a reading runs, then all who wait for it see it', async () => {
    const waits = Array.from({ length: 50 }, () => blocks.wait(2n, forAWhile()))
    await indexBlock(2n)
    await notify('2')
    expect(await Promise.all(waits)).toEqual(waits.map(() => true))
    expect(count()).toBeLessThan(10)
  })

  it('given a wait has ended, then later notifications are not compared with its block', async () => {
    let compared = 0
    const counting = { valueOf: () => BigInt(++compared > 0) }
    expect(await blocks.wait(counting as unknown as bigint, forAWhile())).toBe(true)
    const before = compared
    const waited = blocks.wait(2n, forAWhile())
    await indexBlock(2n)
    await notify('2')
    await waited
    expect(compared).toBe(before)
  })

  it('given a lost notification, then the poll finds the block', async () => {
    const waited = blocks.wait(2n, forAWhile())
    await indexBlock(2n)
    expect(await waited).toBe(true)
  })

  it('given the process ends, then the wait does', async () => {
    const waited = blocks.wait(2n, forAWhile())
    await blocks.stop()
    expect(await waited).toBe(false)
  })
})

describe('a wait whose listening connection breaks', () => {
  let proxy: CuttableProxy
  let sql: Database
  let blocks: IndexedBlocks
  beforeEach(async () => {
    const url = new URL(api.deps.config.DATABASE_URL)
    proxy = await startCuttableProxy({ host: url.hostname, port: Number(url.port) })
    url.port = String(proxy.port)
    url.hostname = '127.0.0.1'
    sql = connectDatabase({ url: url.href, max: 2 })
    blocks = createIndexedBlocks(sql)
    await blocks.start()
  })
  afterEach(async () => {
    await blocks.stop()
    await sql.end({ timeout: 1 })
    await proxy.stop()
  })

  it('given it is cut and comes back, then a wait that began before ends', async () => {
    const waited = blocks.wait(2n, forAWhile())
    await sql`select 1`
    proxy.cut()
    await indexBlock(2n)
    proxy.mend()
    expect(await waited).toBe(true)
    expect(await blocks.wait(2n, forAWhile())).toBe(true)
  })

  it('given the database is gone, then the wait ends with the error', async () => {
    const waited = blocks.wait(2n, forAWhile())
    proxy.cut()
    await expect(waited).rejects.toThrow()
  })

  it('given it is cut for longer than one attempt to connect, then it listens again', async () => {
    proxy.cut()
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(sql`select 1`).rejects.toThrow()
    proxy.mend()
    await expect.poll(() => listeners()).toBe(1)
    const waited = blocks.wait(2n, forAWhile())
    await indexBlock(2n)
    await notify('2')
    expect(await waited).toBe(true)
  })

  /** Sessions of this pool that listen: their last statement was the one. */
  async function listeners(): Promise<number> {
    const rows = await api.sql`
      select pid from pg_stat_activity
      where datname = current_database() and query = 'listen "market_head"' and state = 'idle'`
    return rows.length
  }
})
