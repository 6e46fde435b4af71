import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
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
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
})
afterAll(async () => {
  await indexer?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

test('given a node’s socket that never answers, then a still chain becomes ready and new blocks are indexed', async () => {
  const silent = await startSilentServer()
  try {
    indexer = await startIndexer({
      rpcUrls: [chain.url],
      rpcSocketUrl: `ws://127.0.0.1:${silent.port}`,
      databaseUrl: (await openLogins(database.url, { isOwnServer: true })).indexerUrl,
      deploymentFile: chain.deploymentFile,
      env: { ...process.env, LOCAL_CHAIN: '1' },
      log: (line) => said.push(line),
    })
    await waitForBlock(sql, await chain.mine())
    await waitForBlock(sql, await chain.mine())
  } finally {
    await silent.stop()
  }
  // Now it refuses connections.
  await waitForBlock(sql, await chain.mine())
  expect(said.filter((line) => line.startsWith('restarting'))).toEqual([])
})
