import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts'
import { deepTest } from '../../support/deep-test.ts'
import { startSilentServer } from '../../support/silent-server.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { waitForBlock } from './indexed-head.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'

// The chain mines nothing by itself: a head that is lost has no successor.
let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let indexer: Indexer | undefined
const said: string[] = []

beforeAll(async () => {
  chain = await openMarketChain()
})
afterAll(() => chain?.close())

beforeEach(async () => {
  said.length = 0
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
})
afterEach(async () => {
  await indexer?.stop()
  await sql.end()
  await database.drop()
})

async function start(rpcSocketUrl: string): Promise<void> {
  indexer = await startIndexer({
    rpcUrls: [chain.url],
    rpcSocketUrl,
    databaseUrl: (await openLogins(database.url, { isOwnServer: true })).indexerUrl,
    deploymentFile: chain.deploymentFile,
    env: { ...process.env, LOCAL_CHAIN: '1' },
    log: (line) => said.push(line),
  })
}

const restarts = () => said.filter((line) => line.startsWith('restarting'))

deepTest(
  'given a node’s socket that never answers, then a still chain becomes ready and new blocks are indexed',
  async () => {
    const silent = await startSilentServer()
    try {
      await start(`ws://127.0.0.1:${silent.port}`)
      await waitForBlock(sql, await chain.mine())
      await waitForBlock(sql, await chain.mine())
    } finally {
      await silent.stop()
    }
    // Now it refuses connections.
    await waitForBlock(sql, await chain.mine())
    expect(restarts()).toEqual([])
  },
)

test('given a node’s socket, when it is cut again and again, and when it falls silent, then every block is indexed without a restart', async () => {
  const proxy = await startProxy()
  try {
    await start(`ws://127.0.0.1:${proxy.port}`)
    await expectReorgIndexed()
    for (let round = 0; round < 12; round += 1) {
      proxy.cut()
      await waitForBlock(sql, await chain.mine())
      proxy.mend()
      await waitForBlock(sql, await chain.mine())
    }
    expect(restarts()).toEqual([])
    await expect.poll(() => proxy.connectionCount()).toBeGreaterThan(0)
    proxy.vanish()
    await waitForBlock(sql, await chain.mine())
    await waitForBlock(sql, await chain.mine())
  } finally {
    await proxy.stop()
  }
  expect(restarts()).toEqual([])
})

/** After a reorg the chain stands still: no later block tells of it. */
async function expectReorgIndexed(): Promise<void> {
  const height = await chain.mine()
  await waitForBlock(sql, height)
  const before = await indexedHead()
  await chain.reorganize(1)
  await expect.poll(async () => (await indexedHead()).version).not.toBe(before.version)
  await waitForBlock(sql, height)
  expect(restarts()).toEqual([])
}

/** Its version changes with every commit of rows. */
async function indexedHead(): Promise<{ version: string }> {
  const [head] = await sql<{ version: string }[]>`SELECT version::text FROM market.indexed_head`
  if (head === undefined) throw new Error('nothing is indexed')
  return head
}
function startProxy(): Promise<CuttableProxy> {
  const { hostname, port } = new URL(chain.url)
  return startCuttableProxy({ host: hostname, port: Number(port) })
}
