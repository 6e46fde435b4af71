import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGeneration } from '../../../ops/indexer/generation.ts'
import { schemaNameOf } from '../../../ops/indexer/schema-name.ts'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { aBounty, createTasks } from '../rules/bounties.ts'
import { actorAddresses } from './market-calls.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'

const REWARD = 1_000_000n

let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
const running: Indexer[] = []
const said: string[] = []

beforeAll(async () => {
  chain = await openMarketChain()
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
})

afterAll(async () => {
  for (const indexer of running) await indexer.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

async function launch(again: boolean): Promise<Indexer> {
  const indexer = await startIndexer({
    rpcUrls: [chain.url],
    databaseUrl: (await openLogins(database.url, { isOwnServer: true })).indexerUrl,
    deploymentFile: chain.deploymentFile,
    env: { ...process.env, LOCAL_CHAIN: '1' },
    watchIntervalMs: 200,
    again,
    log: (line) => said.push(line),
  })
  running.push(indexer)
  return indexer
}

test('given rows that were corrupted by hand, when the chain is indexed again, then the new rows are served and the old indexer ends', async () => {
  const requester = actorAddresses[0] ?? '0x'
  const task = { requester, terms: aBounty({ reward: REWARD, duration: 3600 }) }
  const created = await createTasks(chain, [task, task, task])
  const first = await launch(false)
  const [changed, deleted] = created.map(({ id }) => id)
  if (changed === undefined || deleted === undefined) throw new Error('there are no tasks')
  await sql.begin(async (hand) => {
    // Without the triggers by which Ponder would undo it.
    await hand`SET LOCAL session_replication_role = replica`
    await hand`UPDATE ${hand(first.schema)}.task SET reward = 9 WHERE id = ${changed}`
    await hand`DELETE FROM ${hand(first.schema)}.task WHERE id = ${deleted}`
  })

  // It waits for the lock of the first.
  const standby = launch(false).catch((error: Error) => error)
  const second = await launch(true)
  expect(second.schema).not.toBe(first.schema)
  expect(said).toContain(`indexed again; rows that differ from ${first.schema}: task 3`)
  expect((await first.failed).message).toContain('the rows were indexed again by another indexer')
  running.splice(running.indexOf(first), 1)
  await first.stop()
  expect(await standby).toMatchObject({ name: 'OlderGeneration' })
  const rows = await sql`SELECT id, reward FROM market.task ORDER BY id`
  expect(rows.map(({ id }) => id)).toEqual(created.map(({ id }) => id).sort())
  expect(rows.every(({ reward }) => BigInt(reward) === REWARD)).toBe(true)
  // What the next start reads: it is a standby of this one.
  expect(schemaNameOf(chain.deploymentFile, { generation: await readGeneration(sql) })).toBe(second.schema)
})
