import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movementKinds } from '../../../api/read-model/movement-kinds.ts'
import { type Indexer, startIndexer } from '../../../ops/indexer/start-indexer.ts'
import { defaultBonusSetup } from '../../../scripts/contracts/bonus-setup.ts'
import { byDepth } from '../../support/depth.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { bonusOf, chooseBonusCalls, ownerCall, startBonus } from './calls/bonus.ts'
import { chooseStrangerCalls, startStrangers } from './calls/strangers.ts'
import { chooseVaultCalls, exitCalls, startVaults } from './calls/vaults.ts'
import { deferPayouts } from './deferred-payouts.ts'
import { expectBonusEqual } from './expect-bonus.ts'
import { expectCreditsFollowFromEvents } from './expect-bonus-replay.ts'
import { expectBooksEqual } from './expect-books.ts'
import { expectLedgerEqual, listDifferences } from './expect-ledger.ts'
import { expectVaultsEqual } from './expect-vaults.ts'
import { expectViewsEqual } from './expect-views.ts'
import { lower } from './expectation.ts'
import { waitForBlock } from './indexed-head.ts'
import { readLedgerChain } from './ledger-chain.ts'
import { wrongLedgers } from './ledger-errors.ts'
import { readLedger } from './ledger-rows.ts'
import { type MarketChain, openMarketChain } from './market-chain.ts'
import { createRandom } from './random.ts'
import { mineRandomBlocks } from './random-blocks.ts'
import { placeHooks } from './scripted-hooks.ts'
import { makeServiceTables } from './service-tables.ts'
import { readCreatedVaults } from './vault-chain.ts'

/** Another sequence: INDEXER_SEED=<number>. */
const seed = Number(process.env.INDEXER_SEED ?? 112)
const random = createRandom(seed)
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

async function expectRowsEqualChain(blockNumber: bigint): Promise<void> {
  await waitForBlock(sql, blockNumber)
  await expectBonusEqual({ sql, chain })
  await expectVaultsEqual({ sql, chain })
  await expectBooksEqual(chain, database.url)
  await expectLedgerEqual({ sql, chain })
  await expectViewsEqual({ sql })
}

/** A sequence that shows too little is followed by another one. */
const MOST_ROUNDS = 6

/** What the random calls have brought about. */
interface Counts {
  credits: number
  withdrawals: number
  locks: number
  /** For which nothing was credited. */
  reasons: number
  /** Charges by state, and claims. */
  credited: number
  settled: number
  released: number
  claims: number
}

const none = { credits: 0, withdrawals: 0, locks: 0, reasons: 0, credited: 0, settled: 0, released: 0, claims: 0 }

async function countRows(): Promise<Counts> {
  const [counts] = await sql<Counts[]>`
    SELECT (SELECT count(*)::int FROM market.bonus_credit) AS credits,
      (SELECT count(*)::int FROM market.bonus_withdrawal) AS withdrawals,
      (SELECT count(*)::int FROM market.bonus_lock) AS locks,
      (SELECT count(DISTINCT reason)::int FROM market.bonus_skip) AS reasons,
      (SELECT count(*)::int FROM market.vault_charge WHERE is_own_hook AND state = 'credited') AS credited,
      (SELECT count(*)::int FROM market.vault_charge WHERE is_own_hook AND state = 'settled') AS settled,
      (SELECT count(*)::int FROM market.vault_charge WHERE is_own_hook AND state = 'released') AS released,
      (SELECT count(*)::int FROM market.vault_claim) AS claims`
  return counts ?? expect.fail('no counts')
}

function isVaried(counts: Counts): boolean {
  const { credits, withdrawals, locks, reasons, credited, settled, released, claims } = counts
  const isBonusVaried = credits > 10 && withdrawals > 3 && locks > 5 && reasons > 2
  return isBonusVaried && credited > 0 && settled > 3 && released > 0 && claims > 2
}

describe(`rows of the programme and of vaults, and the contracts' views, seed ${seed}`, () => {
  test(
    'given random calls, when they are indexed, then rows equal the views',
    async () => {
      let counts: Counts = none
      for (let round = 0; round < MOST_ROUNDS && !isVaried(counts); round += 1) {
        await expectRowsEqualChain(await mineBlocks(byDepth(30, 600)))
        counts = await countRows()
      }
      expect({ counts, isVaried: isVaried(counts) }).toMatchObject({ isVaried: true })
    },
    byDepth(180_000, 1_200_000),
  )

  test('given its events, then every credit follows from them by the rules', async () => {
    expect(await expectCreditsFollowFromEvents(chain)).toBeGreaterThan(20)
  })

  test('given the largest bounds and ages that the contract takes, when they are set, then rows equal the views', async () => {
    const largest = 2 ** 32 - 1
    const [bounds, ramp] = [
      { maxBonusPerFeeBps: largest, maxRateDriftBps: largest },
      { afterSeconds: [0, largest, largest], multiplierBps: [0, 0, 0, 0] },
    ]
    await chain.send(ownerCall(chain, 'setBounds', [bounds]))
    await chain.send(ownerCall(chain, 'setRamp', [ramp]))
    await expectRowsEqualChain(await mineBlocks(1))
  })

  test('given a token that cannot be read, when tasks complete, then the failures are rows and the tasks go on', async () => {
    const { rewardToken } = bonusOf(chain)
    const code = await chain.client.getCode({ address: rewardToken })
    await chain.setCode(rewardToken, '0xfe')
    await mineBlocks(byDepth(8, 20))
    await chain.setCode(rewardToken, code ?? '0x')
    await expectRowsEqualChain(await mineBlocks(1))
    const rows = await sql`SELECT 1 FROM market.market_event WHERE contract = 'bonus' AND name = 'BonusFailed'`
    expect(rows.length).toBeGreaterThan(0)
  })

  test('given accounts that USDC refuses, when tasks pay them, then each payout is a credit in the ledger', async () => {
    const deferred = await deferPayouts(chain)
    await expectRowsEqualChain(await chain.mine())
    for (const { taskId, accounts } of deferred) {
      const rows = await sql`
        SELECT from_account, to_account FROM analytics.ledger WHERE task_id = ${taskId} AND kind = 'credited'`
      const expected = accounts.map(lower).map((account) => `${account} credit:${account}`)
      expect(rows.map((row) => `${row.from_account} ${row.to_account}`).toSorted()).toEqual(expected.toSorted())
    }
  })

  test('given a vault with a gift that owes and reserves, when its owner exits, then every kind of movement is in the ledger', async () => {
    const vault = (await readCreatedVaults(chain)).at(-1) ?? expect.fail('no vault')
    for (const call of exitCalls(vault)) {
      await chain.send(call)
      await chain.mine(8 * 86_400)
    }
    await expectRowsEqualChain(await chain.mine())
    const kinds = await sql`SELECT DISTINCT kind FROM analytics.ledger`
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(movementKinds.toSorted())
  })

  test.each(wrongLedgers)('given a ledger in which %s, then the chain differs', async (_name, query) => {
    const rows = await sql.begin(async (tx) => {
      await tx`SELECT set_config('search_path', ${indexer.schema}, true)`
      return await readLedger(tx, `(${query})`)
    })
    expect(listDifferences(rows, await readLedgerChain(chain))).not.toEqual([])
  })
})
