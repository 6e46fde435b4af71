import postgres from 'postgres'
import { encodeAbiParameters, encodeEventTopics, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type Indexer, startIndexer } from '../../../scripts/indexer/start-indexer.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { waitForBlock } from './indexed-head.ts'
import { actorAddresses } from './market-calls.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'

let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let indexer: Indexer
const said: string[] = []

beforeAll(async () => {
  chain = await openMarketChain()
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  indexer = await startIndexer({
    rpcUrl: chain.url,
    databaseUrl: database.url,
    deploymentFile: chain.deploymentFile,
    env: { ...process.env, LOCAL_CHAIN: '1' },
    limits: { stalledMs: 5000 },
    restarts: { most: 2, periodMs: 600_000 },
    watchIntervalMs: 200,
    log: (line) => said.push(line),
  })
})

afterAll(async () => {
  await indexer?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

test('given its HTTP, when an analyst asks, then GraphQL and SQL answer and nothing else does', async () => {
  const base = `http://127.0.0.1:${indexer.port}`
  const query = { query: '{ marketConfigs { items { feeBps } } }' }
  const graphql = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(query),
  })
  expect(await graphql.json()).toEqual({ data: { marketConfigs: { items: [{ feeBps: 750 }] } } })
  expect(await (await select('SELECT fee_bps FROM market_config')).json()).toMatchObject({ rows: [{ fee_bps: 750 }] })
  expect((await fetch(`${base}/anything`)).status).toBe(404)
})

test('given what is not for analysts, when their SQL names it, then it is refused', async () => {
  await sql`CREATE SCHEMA service`
  await sql`CREATE TABLE service.secret AS SELECT 'hidden' AS word`
  for (const statement of [
    'SELECT * FROM service.secret',
    "SELECT set_config('search_path', 'service', false)",
    'DELETE FROM market_config',
    'SELECT 1; DELETE FROM market_config',
    'SELECT * FROM pg_stat_activity',
  ]) {
    const response = await select(statement)
    expect(response.ok).toBe(false)
    expect(await response.text()).not.toContain('hidden')
  }
})

test('given Ponder frozen, when the chain goes on, then the watchdog restarts it and says why', async () => {
  const frozen = indexer.pid
  process.kill(frozen, 'SIGSTOP')
  const head = await chain.mine()
  await waitForBlock(sql, head)
  await expect.poll(() => indexer.pid, { timeout: 10_000 }).not.toBe(frozen)
  expect(said).toContainEqual(expect.stringMatching(/^restarting Ponder: it stood still at block \d+ for \d+ s/))
})

test('given a log that breaks an invariant, then the indexer ends with its reason instead of skipping it', async () => {
  await chain.setCode(chain.deployment.market, codeThatCancelsAnUnknownTask())
  await chain.send({ from: actorAddresses[0] ?? '0x', to: chain.deployment.market, data: '0x' })
  await chain.mine()

  const reason = await indexer.failed
  expect(reason.message).toMatch(/^gave up after 2 restarts: Ponder did not come up/)
  expect(reason.message).toContain(`no task ${zeroHash}`)
})

/** SQL over HTTP, as `@ponder/client` sends it. */
function select(statement: string): Promise<Response> {
  const query = encodeURIComponent(JSON.stringify({ json: { sql: statement, params: [] } }))
  return fetch(`http://127.0.0.1:${indexer.port}/sql/db?sql=${query}`)
}

/** A contract that answers any call with `TaskCancelled` of a task that does not exist. */
function codeThatCancelsAnUnknownTask(): Hex {
  const [signature] = encodeEventTopics({ abi: taskMarketAbi, eventName: 'TaskCancelled' })
  const data = encodeAbiParameters([{ type: 'uint96' }, { type: 'uint8' }], [0n, 0])
  const push32 = (word: string) => `7f${word.slice(2)}`
  // Memory is zero, as the data is: PUSH topics, PUSH1 size, PUSH1 offset, LOG2, STOP.
  return `0x${push32(zeroHash)}${push32(String(signature))}60${(data.length / 2 - 1).toString(16)}6000a200`
}
