import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { findServedSchema } from '../../../ops/indexer/views-schema.ts'
import { openLogins } from '../../../scripts/postgres/database-logins.ts'
import { copySource } from '../../support/copy-source.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { aBounty, createTasks } from '../rules/bounties.ts'
import { actorAddresses } from './market-calls.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'

const root = mkdtempSync(join(tmpdir(), 'changed-source-'))

let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let indexer: Indexer | undefined
/** Schema of the source before the change, and a task in it. */
let schema: string
let id: string

beforeAll(async () => {
  copySource(root)
  chain = await openMarketChain()
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  const requester = actorAddresses[0] ?? '0x'
  const [task] = await createTasks(chain, [{ requester, terms: aBounty({ reward: 1_000_000n, duration: 3600 }) }])
  if (task === undefined) throw new Error('there is no task')
  id = task.id
  indexer = await launch()
  schema = indexer.schema
  await addMark()
})

afterAll(async () => {
  await indexer?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
  rmSync(root, { recursive: true })
})

async function launch(): Promise<Indexer> {
  return startIndexer({
    root,
    rpcUrls: [chain.url],
    databaseUrl: (await openLogins(database.url, { isOwnServer: true })).indexerUrl,
    deploymentFile: chain.deploymentFile,
    env: { ...process.env, LOCAL_CHAIN: '1' },
    watchIntervalMs: 200,
  })
}

/** Adds a row that no event makes: it is absent where the chain was indexed again. */
async function addMark(): Promise<void> {
  await sql.begin(async (hand) => {
    // Without the triggers by which Ponder would undo it.
    await hand`SET LOCAL session_replication_role = replica`
    await hand`INSERT INTO ${hand(schema)}.arrival_count VALUES ('0xmark', 1)`
  })
}

async function hasMark(name: string): Promise<boolean> {
  return (await sql`SELECT FROM ${sql(name)}.arrival_count WHERE contract = '0xmark'`).length > 0
}

test('given the same source, when the indexer starts again, then it continues with its rows', async () => {
  await indexer?.stop()
  indexer = await launch()
  expect(indexer.schema).toBe(schema)
  expect(await hasMark(schema)).toBe(true)
})

test('given another comment of a column, when the indexer starts again, then it continues with its rows', async () => {
  await indexer?.stop()
  appendFileSync(join(root, 'src', 'schema', 'task.ts'), '\n// A comment.\n')
  indexer = await launch()
  expect(indexer.schema).toBe(schema)
  expect(await findServedSchema(sql)).toBe(schema)
  expect(await hasMark(schema)).toBe(true)
})

test('given a changed rule, when Ponder ends, then it is not started again on the rows of the rule before', async () => {
  appendFileSync(join(root, 'protocol', 'rules', 'row-ids.ts'), '\nvoid 0\n')
  if (indexer === undefined) throw new Error('no indexer runs')
  process.kill(indexer.pid, 'SIGKILL')
  const reason = await indexer.failed
  expect(reason.message).toBe(
    `source or deployment changed since this indexer started, and ${schema} is of the ones before; start it again`,
  )
  await indexer.stop()
  indexer = undefined
})

test('given a changed rule, when the indexer starts again, then the chain is indexed into a schema beside the one before', async () => {
  indexer = await launch()
  expect(indexer.schema).not.toBe(schema)
  expect(await findServedSchema(sql)).toBe(indexer.schema)
  expect(await sql`SELECT id FROM market.task`).toMatchObject([{ id }])
  expect([await hasMark(indexer.schema), await hasMark(schema)]).toEqual([false, true])
})
