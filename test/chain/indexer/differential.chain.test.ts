import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { type Indexer, type IndexerOptions, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { byDepth } from '../../support/depth.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { listOwnerCalls } from './calls/administration.ts'
import { playCornerCases } from './corner-cases.ts'
import { expectAgentsEqual } from './expect-agents.ts'
import { auditAll, expectBooksEqual } from './expect-books.ts'
import { expectCornerCases } from './expect-corner-cases.ts'
import { expectDaysEqual } from './expect-days.ts'
import { expectEntriesEqual, expectSubmissionsEqual, expectWorklistColumnsEqual } from './expect-entries.ts'
import { expectEvaluationsEqual, expectHooksEqual } from './expect-evaluations.ts'
import { expectEventsEqual } from './expect-events.ts'
import { expectHistoryEqual } from './expect-history.ts'
import { expectIdentitiesEqual } from './expect-identities.ts'
import { expectLedgerEqual } from './expect-ledger.ts'
import { expectCountersEqual, expectMarketEqual, expectRelaysEqual } from './expect-money.ts'
import { expectBidsEqual, expectPitchesEqual, expectProofsEqual } from './expect-offers.ts'
import { expectAwardsEqual, expectClaimsEqual } from './expect-settlements.ts'
import { expectTasksEqual } from './expect-tasks.ts'
import { expectTermsEqual } from './expect-terms.ts'
import { expectViewsEqual } from './expect-views.ts'
import { waitForBlock } from './indexed-head.ts'
import { direct, market } from './market-calls.ts'
import { encodeCall, type MarketChain, openMarketChain } from './market-chain.ts'
import { readMarketLogs } from './market-logs.ts'
import { createRandom } from './random.ts'
import { mineRandomBlocks as mineRandomBlocksOn } from './random-blocks.ts'
import { placeHooks } from './scripted-hooks.ts'
import { makeServiceTables } from './service-tables.ts'

/** Another sequence: INDEXER_SEED=<number>. */
const seed = Number(process.env.INDEXER_SEED ?? 5)
const random = createRandom(seed)
const owner = devAccount('owner').account.address

let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let indexer: Indexer

beforeAll(async () => {
  chain = await openMarketChain()
  await placeHooks(chain)
  database = await createTestDatabase()
  await makeServiceTables(database.url)
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
  return { rpcUrls: [chain.url], databaseUrl: url, deploymentFile: chain.deploymentFile, env }
}

/** Mines `blocks` blocks of up to twenty random calls. */
function mineRandomBlocks(blocks: number): Promise<bigint> {
  return mineRandomBlocksOn(chain, { random, blocks })
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
  await expectTermsEqual(subject, database)
  await expectEntriesEqual(subject)
  await expectWorklistColumnsEqual(subject)
  await expectSubmissionsEqual(subject)
  await expectPitchesEqual(subject)
  await expectBidsEqual(subject)
  await expectProofsEqual(subject)
  await expectEvaluationsEqual(subject)
  await expectHooksEqual(subject)
  await expectClaimsEqual(subject)
  await expectAwardsEqual(subject)
  await expectMarketEqual(subject)
  await expectRelaysEqual(subject)
  await expectCountersEqual(subject)
  await expectIdentitiesEqual(subject)
  await expectAgentsEqual(subject)
  await expectLedgerEqual(subject)
  await expectViewsEqual(subject)
  await expectDaysEqual(database.url)
  await expectEventsEqual(database.url, subject)
  await expectBooksEqual(chain, database.url)
}

describe(`rows and the contracts' views, seed ${seed}`, () => {
  test('given sequences that random calls seldom produce, when they are indexed, then rows equal the views', async () => {
    const tasks = await playCornerCases(chain)
    await expectRowsEqualChain(await chain.mine())
    await expectCornerCases(sql, tasks)
  })

  test(
    'given random calls, when they are indexed live, then rows equal the views',
    async () => {
      for (const call of await listOwnerCalls({ chain, random })) await chain.send(call)
      await expectRowsEqualChain(await mineRandomBlocks(byDepth(45, 800)))
    },
    byDepth(180_000, 1_200_000),
  )

  test.each(byDepth([3], [1, 2, 3]))(
    'given a reorg of depth %i, when the chain continues, then rows equal the views',
    async (depth) => {
      await mineRandomBlocks(depth)
      await expectRowsEqualChain(await mineBlockWithLogs())
      const before = await readMarketLogs(chain)

      await chain.reorganize(depth)
      // The calls of the replaced blocks are undone, so their changes of rows must be undone as well.
      expect((await readMarketLogs(chain)).market.length).toBeLessThan(before.market.length)
      await expectRowsEqualChain(await mineRandomBlocks(1))
    },
  )

  test('given rows that were changed by hand, then the audit names their sums and tasks, until they are as before', async () => {
    // A gift would hide the shortfall of the balance.
    await chain.send(direct(chain, owner, market('sweepExcess', [owner])))
    // Random calls seldom do this.
    const sweepFees = encodeCall(paymentForwarderAbi, 'sweepFees', [owner])
    await chain.send({ from: owner, to: chain.deployment.forwarder, data: sweepFees })
    await expectRowsEqualChain(await chain.mine())
    const [task] = await sql`
      SELECT id, escrow, worker FROM market.task
      WHERE ended_at IS NULL AND mode IN ('claim', 'pitch', 'auction') AND worker IS NOT NULL ORDER BY id LIMIT 1`
    const set = (escrow: bigint, worker: string) =>
      sql.begin(async (tx) => {
        // Ponder's own trigger is for its own sessions.
        await tx`SET LOCAL session_replication_role = replica`
        await tx`UPDATE market.task SET escrow = ${String(escrow)}, worker = ${worker} WHERE id = ${task?.id}`
      })
    await set(BigInt(task?.escrow) + 1n, `0x${'ee'.repeat(20)}`)
    const { sums, tasks } = await auditAll(chain, database.url)
    expect(sums?.differences).toEqual([
      { sum: 'market_balance', of: null, amount: '-1' },
      { sum: 'market_total_escrow', of: null, amount: '-1' },
    ])
    expect(tasks?.differences).toEqual([{ sum: 'tasks', of: task?.id, amount: '2', fields: ['escrow', 'worker'] }])
    await set(BigInt(task?.escrow), task?.worker)
    await expectBooksEqual(chain, database.url)
  })

  test('given all these calls, then every event of the market occurred', async () => {
    const rows = await sql`SELECT name FROM market.task_event UNION SELECT name FROM market.market_event`
    const names = new Set(rows.map((row) => row.name))
    const declared = [...taskMarketAbi, ...paymentForwarderAbi].flatMap((item) =>
      item.type === 'event' ? [item.name] : [],
    )
    // A relayed call has a separate table; the other event repeats it.
    const missing = declared.filter((name) => !names.has(name))
    expect(missing.sort()).toEqual(['IntentRelayed', 'PaymentGatedCall'])
  })
})
