import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { toTask } from '../../../api/features/tasks/tasks.mapper.ts'
import { findTask } from '../../../api/features/tasks/tasks.queries.ts'
import { loadTaskSnapshot, loadTaskSnapshots } from '../../../api/read-model/task-snapshot.queries.ts'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { byDepth } from '../../support/depth.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { waitForBlock } from '../indexer/indexed-head.ts'
import type { Environment } from '../indexer/market-calls.ts'
import { type MarketChain, openMarketChain } from '../indexer/market-chain.ts'
import { createRandom } from '../indexer/random.ts'
import { readTaskStates, type TaskState } from '../indexer/task-states.ts'
import { edgesOf } from './boundaries.ts'
import { expectDerived } from './expect-derived.ts'
import { expectQueuesEqual } from './expect-queues.ts'
import { readSnapshots } from './read-snapshots.ts'
import { simulatePayment } from './simulate-payment.ts'
import { createCoverageTargets, describeState, reachableStates, stateOf } from './task-states.ts'
import { walk } from './walk.ts'
import { wallets } from './wallets.ts'

const seed = Number(process.env.RULES_SEED ?? 8195)
const BLOCKS = byDepth(30, 400)

let chain: MarketChain
let database: TestDatabase
let sql: Database
let indexer: Indexer
let tasks: TaskState[]
let environment: Environment

/** The tasks of a number of blocks, on the chain and in the rows of the indexer. */
beforeAll(async () => {
  chain = await openMarketChain()
  database = await createTestDatabase()
  const env = { ...process.env, LOCAL_CHAIN: '1' }
  const { deploymentFile } = chain
  indexer = await startIndexer({ rpcUrls: [chain.url], databaseUrl: database.url, deploymentFile, env })
  sql = connectDatabase({ url: database.url, max: 2 })
  await migrate(sql)
  environment = await walkFar()
  tasks = await readTaskStates(
    chain,
    environment.logs.tasks.map(({ id }) => id),
  )
  const listener = postgres(database.url, { max: 1, onnotice: () => {} })
  await waitForBlock(listener, await chain.client.getBlockNumber())
  await listener.end()
}, 240_000)

afterAll(async () => {
  await indexer?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

async function walkFar(): Promise<Environment> {
  let blocks = 0
  const seen = new Map<string, number>()
  for await (const present of walk(chain, { random: createRandom(seed), wanted: createCoverageTargets(seen) })) {
    for (const task of present.tasks) seen.set(stateOf(task), (seen.get(stateOf(task)) ?? 0) + 1)
    blocks += 1
    if (blocks >= BLOCKS) return present
  }
  throw new Error('the walk ended')
}

test('given tasks in most states, when the service reads them, then they equal the contract’s views', async () => {
  const expected = await readSnapshots(chain, { tasks, logs: environment.logs.market })
  const ids = expected.map(({ id }) => id)
  const loaded = await loadTaskSnapshots(sql, ids)

  for (const task of expected) {
    const unlisted = { ...task, taskVisibility: 'unlisted' }
    expect(loaded.get(task.id)).toEqual({ ...unlisted, entries: new Map() })
    expect(await loadTaskSnapshot(sql, task.id, wallets)).toEqual(unlisted)
  }
  const states = new Set(tasks.map(stateOf))
  expect(states.size).toBeGreaterThan(reachableStates.map(describeState).length / 2)
})

test('given any time, when a task is shown, then its fields that depend on the time agree with the contract', async () => {
  for (const state of tasks) {
    const row = (await findTask(sql, state.id)) ?? expect.fail(`no row of ${state.id}`)
    for (const now of [environment.now + 1, ...edgesOf(state, environment.now)]) {
      await expectDerived({
        chain,
        state,
        logs: environment.logs,
        shown: toTask(row, [], { now: BigInt(now), serviceName: 'service' }),
        now,
      })
    }
  }
})

test('given every wallet, when its action queue is listed, then it holds what the contract takes of it', async () => {
  const { market } = environment.logs
  const snapshots = await readSnapshots(chain, { tasks, logs: market })
  const found = new Set<string>()
  // Soon, after the windows of an hour, of days, and after a quarter of a year of silence.
  for (const later of [1, 3_700, 400_000, 100 * 86_400]) {
    const now = BigInt(environment.now + later)
    for (const entry of await expectQueuesEqual(chain, sql, { tasks: snapshots, logs: market, now })) found.add(entry)
  }
  expect([...found].sort()).toEqual(
    expect.arrayContaining(['requester accept', 'requester rate', 'worker submit', 'worker settle_stale']),
  )
  expect(found.size).toBeGreaterThan(10)
}, 120_000)

test('given a delivery, when it is paid in full, then its worker gets the net reward that was shown', async () => {
  let paid = 0
  for (const task of await readSnapshots(chain, { tasks, logs: environment.logs.market })) {
    const payment = await simulatePayment(chain, task, environment.now)
    if (payment === null) continue
    const row = (await findTask(sql, task.id)) ?? expect.fail(`no row of ${task.id}`)
    expect({
      task,
      netReward: toTask(row, [], { now: BigInt(environment.now), serviceName: 'service' }).netReward,
    }).toEqual({
      task,
      netReward: `${payment}`,
    })
    paid += 1
  }
  expect(paid).toBeGreaterThan(0)
})
