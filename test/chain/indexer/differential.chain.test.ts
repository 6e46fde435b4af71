import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { movementKinds } from '../../../api/read-model/movement-kinds.ts'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { defaultBonusSetup } from '../../../scripts/contracts/bonus-setup.ts'
import { deepTest } from '../../support/deep-test.ts'
import { byDepth, isDeep } from '../../support/depth.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { listOwnerCalls } from './calls/administration.ts'
import { bonusOf, chooseBonusCalls, ownerCall, startBonus } from './calls/bonus.ts'
import { chooseStrangerCalls, startStrangers } from './calls/strangers.ts'
import { chooseVaultCalls, exitCalls, startVaults } from './calls/vaults.ts'
import { playCornerCases } from './corner-cases.ts'
import { deferPayouts } from './deferred-payouts.ts'
import { expectAllEqual } from './expect-all.ts'
import { listDifferences } from './expect-ledger.ts'
import { lower } from './expectation.ts'
import { waitForBlock } from './indexed-head.ts'
import { readLedgerChain } from './ledger-chain.ts'
import { wrongLedgers } from './ledger-errors.ts'
import { readLedger } from './ledger-rows.ts'
import { direct, market } from './market-calls.ts'
import { encodeCall, type MarketChain, openMarketChain } from './market-chain.ts'
import { readMarketLogs } from './market-logs.ts'
import { createRandom } from './random.ts'
import { mineRandomBlocks } from './random-blocks.ts'
import { placeHooks } from './scripted-hooks.ts'
import { makeServiceTables } from './service-tables.ts'
import { readCreatedVaults } from './vault-chain.ts'

/** Another sequence: INDEXER_SEED=<number>. */
const seed = Number(process.env.INDEXER_SEED ?? 5)
const random = createRandom(seed)
const owner = devAccount('owner').account.address
const setup = {
  ...defaultBonusSetup,
  terms: { ...defaultBonusSetup.terms, tokenPerUsdc: 10n ** 19n },
  // Minutes instead of weeks: the wallets pass every age.
  ramp: { ...defaultBonusSetup.ramp, afterSeconds: [60, 600, 6000] },
} as const

let chain: MarketChain
let database: TestDatabase
let sql: postgres.Sql
let indexer: Indexer

beforeAll(async () => {
  chain = await openMarketChain({ bonus: { token: 'local', setup } })
  await placeHooks(chain)
  for (const call of startBonus(chain)) await chain.send(call)
  await chain.mine()
  await startVaults(chain)
  for (const call of startStrangers(chain)) await chain.send(call)
  await chain.mine()
  database = await createTestDatabase()
  await makeServiceTables(database.url)
  sql = postgres(database.url, { max: 2, onnotice: () => {} })
  const env = { ...process.env, LOCAL_CHAIN: '1' }
  const { url, deploymentFile } = chain
  indexer = await startIndexer({ rpcUrls: [url], databaseUrl: database.url, deploymentFile, env })
})

afterAll(async () => {
  await indexer?.stop()
  await sql?.end()
  await database?.drop()
  await chain?.close()
})

/** Mines `blocks` blocks of random calls, of which some are about the programme, vaults, and money past our functions. */
function mineBlocks(blocks: number): Promise<bigint> {
  return mineRandomBlocks(chain, {
    random,
    blocks,
    addCalls: async (environment) => [
      ...chooseBonusCalls(chain, random),
      ...(await chooseVaultCalls(environment)),
      ...(await chooseStrangerCalls(environment)),
    ],
  })
}

/** Mines blocks until the newest has logs of the market: all calls of a block may revert. */
async function mineBlockWithLogs(): Promise<bigint> {
  for (;;) {
    const before = await readMarketLogs(chain)
    const head = await mineBlocks(1)
    if ((await readMarketLogs(chain)).market.length > before.market.length) return head
  }
}

async function expectRowsEqualChain(blockNumber: bigint): Promise<void> {
  await waitForBlock(sql, blockNumber)
  await expectAllEqual({ sql, chain, logs: await readMarketLogs(chain) }, database.url)
}

/** Blocks between two looks at whether the calls are varied, and the most looks. */
const ROUND = byDepth(15, 800)
const MOST_ROUNDS = byDepth(18, 6)

/** Tells whether the random calls have brought about enough: bonuses, and charges of vaults in each state. */
async function isVaried(): Promise<boolean> {
  const [counts] = await sql<{ isVaried: boolean }[]>`
    SELECT (SELECT count(*) > 10 FROM market.bonus_credit) AND (SELECT count(*) > 3 FROM market.bonus_withdrawal)
      AND (SELECT count(*) > 5 FROM market.bonus_lock) AND (SELECT count(DISTINCT reason) > 2 FROM market.bonus_skip)
      AND (SELECT count(*) > 2 FROM market.vault_claim)
      AND (SELECT count(*) FILTER (WHERE state = 'credited') > 0 AND count(*) FILTER (WHERE state = 'settled') > 3
        AND count(*) FILTER (WHERE state = 'released') > 0 FROM market.vault_charge WHERE is_own_hook) AS "isVaried"`
  const missing = [...(await listMissingEvents()), ...(await listMissingKinds())]
  return counts?.isVaried === true && missing.every((name) => later.includes(name))
}

/** Events and kinds of movement that the steps after the random calls make, and events that have no row of their own. */
const later = [
  'ExcessSwept',
  'FeesSwept',
  'PayoutDeferred',
  'IntentRelayed',
  'PaymentGatedCall',
  'credited',
  'excess_swept',
  'fees_swept',
  'vault_defaulted',
  'vault_exited',
]

/** The events of market and forwarder of which no row was made. */
async function listMissingEvents(): Promise<string[]> {
  const rows = await sql`SELECT name FROM market.task_event UNION SELECT name FROM market.market_event`
  const names = new Set(rows.map((row) => row.name))
  return [...taskMarketAbi, ...paymentForwarderAbi].flatMap((item) =>
    item.type === 'event' && !names.has(item.name) ? [item.name] : [],
  )
}

/** The kinds of movement that the ledger does not have. */
async function listMissingKinds(): Promise<string[]> {
  const kinds = (await sql`SELECT DISTINCT kind FROM analytics.ledger`).map(({ kind }) => kind)
  return movementKinds.filter((kind) => !kinds.includes(kind))
}

describe(`rows and the contracts' views, seed ${seed}`, () => {
  test(
    'given sequences that random calls seldom produce, and random calls, when they are indexed live, then they are varied',
    async () => {
      await playCornerCases(chain)
      for (const call of await listOwnerCalls({ chain, random })) await chain.send(call)
      for (let round = 0; round < MOST_ROUNDS && !(await isVaried()); round += 1) {
        await waitForBlock(sql, await mineBlocks(ROUND))
      }
      expect(await isVaried()).toBe(true)
    },
    byDepth(480_000, 2_400_000),
  )

  test.each(byDepth([3], [1, 2, 3]))(
    'given all these calls and a reorg of depth %i, when the chain continues, then the calls of the replaced blocks are undone',
    async (depth) => {
      await mineBlocks(depth)
      await waitForBlock(sql, await mineBlockWithLogs())
      const before = await readMarketLogs(chain)

      await chain.reorganize(depth)
      // Their changes of rows must be undone as well: the comparison below finds one that is left.
      expect((await readMarketLogs(chain)).market.length).toBeLessThan(before.market.length)
      const head = await mineBlocks(1)
      await (isDeep ? expectRowsEqualChain(head) : waitForBlock(sql, head))
    },
    byDepth(480_000, 600_000),
  )

  test('given all this, payouts that USDC refuses, a bonus whose token cannot be read, the largest settings and the exit of a vault, then rows equal the views, and every kind of movement is in the ledger', async () => {
    const { bonusHook, rewardToken } = bonusOf(chain)
    await chain.send(direct(chain, owner, market('setDefaultHooks', [[bonusHook]])))
    await chain.send(ownerCall(chain, 'setRate', [10n ** 18n]))
    const code = await chain.client.getCode({ address: rewardToken })
    await chain.setCode(rewardToken, '0xfe')
    const deferred = await deferPayouts(chain)
    await chain.setCode(rewardToken, code ?? '0x')
    const largest = 2 ** 32 - 1
    const ramp = { afterSeconds: [0, largest, largest], multiplierBps: [0, 0, 0, 0] }
    await chain.send(ownerCall(chain, 'setBounds', [{ maxBonusPerFeeBps: largest, maxRateDriftBps: largest }]))
    await chain.send(ownerCall(chain, 'setRamp', [ramp]))
    // A gift, and reserved and owed money.
    const { charges, exit } = exitCalls((await readCreatedVaults(chain)).at(-1) ?? expect.fail('no vault'))
    for (const call of charges) {
      await chain.send(call)
      await chain.mine()
    }
    await chain.mine(8 * 86_400)
    await chain.send(exit)
    await chain.send(direct(chain, owner, market('sweepExcess', [owner])))
    const sweepFees = encodeCall(paymentForwarderAbi, 'sweepFees', [owner])
    await chain.send({ from: owner, to: chain.deployment.forwarder, data: sweepFees })
    await expectRowsEqualChain(await chain.mine())
    for (const { taskId, accounts } of deferred) {
      const rows = await sql`
        SELECT from_account, to_account FROM analytics.ledger WHERE task_id = ${taskId} AND kind = 'credited'`
      const expected = accounts.map(lower).map((account) => `${account} credit:${account}`)
      expect(rows.map((row) => `${row.from_account} ${row.to_account}`).toSorted()).toEqual(expected.toSorted())
    }
    const failures = await sql`SELECT FROM market.market_event WHERE contract = 'bonus' AND name = 'BonusFailed'`
    expect(failures.length).toBeGreaterThan(0)
    expect(await listMissingKinds()).toEqual([])
  }, 480_000)

  deepTest('given a ledger with any of these errors, then the chain differs', async () => {
    const side = await readLedgerChain(chain)
    const unnoticed: string[] = []
    for (const [name, query] of wrongLedgers) {
      const rows = await sql.begin(async (tx) => {
        await tx`SELECT set_config('search_path', ${indexer.schema}, true)`
        return await readLedger(tx, `(${query})`)
      })
      if (listDifferences(rows, side).length === 0) unnoticed.push(name)
    }
    expect(unnoticed).toEqual([])
  })

  test('given all these calls, then every event of the market occurred', async () => {
    // A relayed call has a separate table; the other event repeats it.
    expect((await listMissingEvents()).sort()).toEqual(['IntentRelayed', 'PaymentGatedCall'])
  })
})
