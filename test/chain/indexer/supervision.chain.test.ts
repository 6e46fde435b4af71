import { hash } from 'node:crypto'
import postgres from 'postgres'
import { encodeAbiParameters, encodeEventTopics, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { findFreePort } from '../../../ops/process/ports.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/cuttable-proxy.ts'
import { collision } from '../../support/sql/colliding-queries.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { aTask } from './calls/create-task.ts'
import { waitForBlock } from './indexed-head.ts'
import { actorAddresses, market } from './market-calls.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'
import { createRandom } from './random.ts'
import { relayPaid } from './relayed-call.ts'

const RESTARTS = 1

// One indexer for all. The chain mines nothing by itself: a head that is lost has no successor.
let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let node: CuttableProxy
/** Where the node tells new heads. */
let socket: CuttableProxy
let port: number
let starting: Promise<Indexer>
let indexer: Indexer
const said: string[] = []

beforeAll(async () => {
  chain = await openMarketChain({ beforeBound: true })
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  ;[node, socket] = await Promise.all([startProxy(), startProxy()])
  node.cut()
  port = await findFreePort()
  starting = startIndexer({
    rpcUrls: [`http://127.0.0.1:${node.port}`],
    rpcSocketUrl: `ws://127.0.0.1:${socket.port}`,
    port,
    databaseUrl: (await openLogins(database.url, { isOwnServer: true })).indexerUrl,
    deploymentFile: chain.deploymentFile,
    env: { ...process.env, LOCAL_CHAIN: '1' },
    restarts: { most: RESTARTS, periodMs: 600_000 },
    watchIntervalMs: 200,
    log: (line) => said.push(line),
  })
})

afterAll(async () => {
  node?.mend()
  await (await starting)?.stop()
  await node?.stop()
  await socket?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

test('given a first start while no node answers, then it waits and says so, and comes up when one answers', async () => {
  const refusal = 'Ponder is not started: the node does not answer'
  await expect.poll(() => said).toContainEqual(expect.stringContaining(refusal))
  const waiting = await request('GET', '/ready')
  expect([waiting.status, await waiting.json()]).toEqual([
    503,
    {
      status: 'waiting',
      checks: {
        node: { status: 'failed', reason: expect.any(String) },
        deployment: { status: 'failed', reason: expect.any(String) },
        database: { status: 'ok' },
      },
    },
  ])
  node.mend()
  indexer = await starting
  expect(indexer.port).toBe(port)
  expect(said.filter((line) => line.startsWith(refusal))).toHaveLength(1)
})

test('given its HTTP port, then it serves status, health and ready, and no other route of Ponder', async () => {
  for (const path of ['/health', '/ready', '/status']) expect((await request('GET', path)).status).toBe(200)
  for (const path of ['/', '/metrics', '/graphql', '/sql/db', '/sql/live', '/sql/anything', '/health/../metrics']) {
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
      const response = await request(method, path)
      expect(response.status).toBe(404)
      expect(await response.text()).toBe('This port serves GET /status, /health and /ready.')
    }
  }
  expect((await request('POST', '/status')).status).toBe(404)
})

test('given two statements with the same 40-bit hash, when the allowed one is sent first, then the hostile one has no effect', async () => {
  const [harmless, hostile] = collision
  const hashes = collision.map((text) => hash('sha256', text).slice(0, 10))
  expect(hashes[0]).toBe(hashes[1])
  for (const text of [harmless, hostile, hostile]) {
    const query = encodeURIComponent(JSON.stringify({ json: { sql: text, params: [] } }))
    for (const path of ['/sql/db', '/sql/live']) await (await request('GET', `${path}?sql=${query}`)).text()
  }
  const tables = await sql`SELECT table_schema FROM information_schema.tables WHERE table_name = 'intrusion'`
  expect(tables).toEqual([])
})

test('given a forwarder of before bound payments, when it relays, then the row has its escrow', async () => {
  const random = createRandom(1)
  const requester = devAccount('requester')
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

test('given a node’s socket, when it is cut again and again, and when it falls silent, then every block is indexed without a restart', async () => {
  await expectReorgIndexed()
  for (let round = 0; round < 4; round += 1) {
    socket.cut()
    await waitForBlock(sql, await chain.mine())
    socket.mend()
    await waitForBlock(sql, await chain.mine())
  }
  expect(restarts()).toEqual([])
  await expect.poll(() => socket.connectionCount()).toBeGreaterThan(0)
  socket.vanish()
  await waitForBlock(sql, await chain.mine())
  await waitForBlock(sql, await chain.mine())
  expect(restarts()).toEqual([])
})

test('given a log that breaks an invariant, then the indexer exits with the reason instead of skipping it', async () => {
  await chain.setCode(chain.deployment.market, codeThatCancelsAnUnknownTask())
  await chain.send({ from: actorAddresses[0] ?? '0x', to: chain.deployment.market, data: '0x' })
  await chain.mine()

  const reason = await indexer.failed
  expect(reason.message).toMatch(new RegExp(`^gave up after ${RESTARTS} restarts: Ponder did not come up`))
  expect(reason.message).toContain(`no task ${zeroHash}`)
})

function startProxy(): Promise<CuttableProxy> {
  const { hostname, port: nodePort } = new URL(chain.url)
  return startCuttableProxy({ host: hostname, port: Number(nodePort) })
}

function restarts(): string[] {
  return said.filter((line) => line.startsWith('restarting'))
}

/** After a reorg the chain stands still: no later block tells of it. */
async function expectReorgIndexed(): Promise<void> {
  const height = await chain.mine()
  await waitForBlock(sql, height)
  const before = await indexedVersion()
  await chain.reorganize(1)
  await expect.poll(indexedVersion).not.toBe(before)
  await waitForBlock(sql, height)
  expect(restarts()).toEqual([])
}

/** Changes with every commit of rows. */
async function indexedVersion(): Promise<string> {
  const [head] = await sql<{ version: string }[]>`SELECT version::text FROM market.indexed_head`
  return head?.version ?? expect.fail('nothing is indexed')
}

function request(method: string, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { method })
}

/** A contract that answers any call with `TaskCancelled` of a task that does not exist. */
function codeThatCancelsAnUnknownTask(): Hex {
  const [signature] = encodeEventTopics({ abi: taskMarketAbi, eventName: 'TaskCancelled' })
  const data = encodeAbiParameters([{ type: 'uint96' }, { type: 'uint8' }], [0n, 0])
  const push32 = (word: string) => `7f${word.slice(2)}`
  // The data is unwritten memory, which is zero: PUSH topics, PUSH1 size, PUSH1 offset, LOG2, STOP.
  return `0x${push32(zeroHash)}${push32(String(signature))}60${(data.length / 2 - 1).toString(16)}6000a200`
}
