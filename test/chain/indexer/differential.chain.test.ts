import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Indexer, type IndexerOptions, startIndexer } from '../../../scripts/indexer/start-indexer.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { expectHistoryEqual } from './expect-history.ts'
import { expectIdentitiesEqual } from './expect-identities.ts'
import { expectCountersEqual, expectMarketEqual, expectRelaysEqual } from './expect-money.ts'
import { expectEntriesEqual, expectSubmissionsEqual, expectTasksEqual } from './expect-tasks.ts'
import { waitForBlock } from './indexed-head.ts'
import { chooseCalls, listOwnerCalls } from './market-calls.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'
import { readMarketLogs } from './market-logs.ts'
import { createRandom } from './random.ts'
import { dumpRows } from './row-dump.ts'

/** Another sequence: INDEXER_SEED=<number>. */
const seed = Number(process.env.INDEXER_SEED ?? 1)
const random = createRandom(seed)

let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let indexer: Indexer

beforeAll(async () => {
  chain = await openMarketChain()
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  indexer = await startIndexer(optionsFor(database))
})

afterAll(async () => {
  await indexer?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

function optionsFor({ url }: TestDatabase): IndexerOptions {
  const env = { ...process.env, LOCAL_CHAIN: '1' }
  return { rpcUrl: chain.url, databaseUrl: url, deploymentFile: chain.deploymentFile, env }
}

/** Mines `blocks` blocks of up to six random calls each; time passes, now and then by weeks. */
async function mineRandomBlocks(blocks: number): Promise<bigint> {
  let head = 0n
  for (let mined = 0; mined < blocks; mined += 1) {
    const world = { chain, random, logs: await readMarketLogs(chain) }
    for (let calls = 1 + random.below(6); calls > 0; calls -= 1) {
      for (const call of await chooseCalls(world)) await chain.send(call)
    }
    head = await chain.mine(random.chance(0.06) ? random.below(100 * 86_400) : 1 + random.below(600))
  }
  return head
}

/** Mines blocks until the newest has logs of the market: all calls of a block may revert. */
async function mineBlockWithLogs(): Promise<bigint> {
  for (;;) {
    const before = await readMarketLogs(chain)
    const head = await mineRandomBlocks(1)
    if ((await readMarketLogs(chain)).market.length > before.market.length) return head
  }
}

async function expectRowsEqualChain(blockNumber: bigint): Promise<void> {
  await waitForBlock(sql, blockNumber)
  const subject = { sql, chain, logs: await readMarketLogs(chain) }
  await expectHistoryEqual(subject)
  await expectTasksEqual(subject)
  await expectEntriesEqual(subject)
  await expectSubmissionsEqual(subject)
  await expectMarketEqual(subject)
  await expectRelaysEqual(subject)
  await expectCountersEqual(subject)
  await expectIdentitiesEqual(subject)
}

describe(`rows and the contracts' views, seed ${seed}`, () => {
  test('given random calls, when they are indexed live, then rows equal the views', async () => {
    for (const call of listOwnerCalls({ chain })) await chain.send(call)
    await expectRowsEqualChain(await mineRandomBlocks(70))
  })

  test.each([1, 2, 3])(
    'given a reorg of depth %i, when the chain goes on, then rows equal the views',
    async (depth) => {
      await mineRandomBlocks(depth)
      await expectRowsEqualChain(await mineBlockWithLogs())
      const before = await readMarketLogs(chain)

      await chain.reorganize(depth)
      // The calls of the replaced blocks are gone, so what they did to the rows must go too.
      expect((await readMarketLogs(chain)).market.length).toBeLessThan(before.market.length)
      await expectRowsEqualChain(await mineRandomBlocks(1))
    },
  )

  test('given Ponder killed amid a burst, when it is started again, then rows equal the views and a fresh rebuild', async () => {
    await mineRandomBlocks(10)
    await indexer.kill()
    const head = await mineRandomBlocks(5)
    const other = await createTestDatabase()
    const [restarted, rebuilt] = await Promise.all([
      startIndexer(optionsFor(database)),
      startIndexer(optionsFor(other)),
    ])
    indexer = restarted
    const otherSql = postgres(other.url, { max: 1, onnotice: () => {} })
    try {
      await expectRowsEqualChain(head)
      expect(rebuilt.schema).toBe(restarted.schema)
      const [lived, fresh] = [await dumpRows(sql, restarted.schema), await dumpRows(otherSql, rebuilt.schema)]
      expect(fresh.rows).toEqual(lived.rows)
      expect(fresh.hash).toBe(lived.hash)
    } finally {
      await otherSql.end()
      await rebuilt.stop()
      await other.drop()
    }
  })

  test('given all of that, then every event of a bounty was among it', async () => {
    const names = await sql`SELECT name FROM market.task_event UNION SELECT name FROM market.market_event ORDER BY 1`
    expect(names.map((row) => row.name)).toEqual([
      ...['CreditWithdrawn', 'DefaultHooksSet', 'EscrowReturned', 'ExcessSwept', 'FeeRecipientUpdated', 'FeeUpdated'],
      ...['FeesSwept', 'OwnershipTransferStarted', 'OwnershipTransferred', 'Paused', 'PayoutDeferred'],
      ...['PrepaidRefunded', 'RegistryUpdated', 'RelayerSet', 'RequesterReputation', 'RouteSet', 'SubmissionRejected'],
      ...['TaskCancelled', 'TaskCompleted', 'TaskCreated', 'TaskExpired', 'TaskRated', 'TaskSubmitted', 'TaskUpdated'],
      'Unpaused',
    ])
  })
})
