import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { aTask } from './calls/create-task.ts'
import { waitForBlock } from './indexed-head.ts'
import { market } from './market-calls.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'
import { createRandom } from './random.ts'
import { relayPaid } from './relayed-call.ts'

const random = createRandom(1)
const requester = devAccount('requester')

let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let indexer: Indexer

beforeAll(async () => {
  chain = await openMarketChain({ beforeBound: true })
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  const env = { ...process.env, LOCAL_CHAIN: '1' }
  const { url: rpcUrl, deploymentFile } = chain
  indexer = await startIndexer({ rpcUrls: [rpcUrl], databaseUrl: database.url, deploymentFile, env })
})

afterAll(async () => {
  await indexer?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

test('given a forwarder of before bound payments, when it relays, then the row has its escrow', async () => {
  const reward = 5_000_000n
  const intentId = random.word()
  const data = market('createTask', [aTask(random, requester.account.address, reward)])
  const payment = { amount: reward + 1000n, escrow: reward, nonce: random.word() }
  await chain.send(await relayPaid({ chain, intentId, actor: requester, data }, payment))
  await waitForBlock(sql, await chain.mine())

  expect(chain.deployment.bound).toBeUndefined()
  const relays = await sql`SELECT intent_id, amount, escrow_amount, prepaid FROM market.relayed_intent`
  expect([...relays]).toEqual([
    { intent_id: intentId, amount: String(reward + 1000n), escrow_amount: String(reward), prepaid: false },
  ])
})
