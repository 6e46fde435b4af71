import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { claimAudit } from '../../../api/books/audits.queries.ts'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aProgramme, insertAccount } from '../../support/bonus-rows.ts'
import { aHash, aPosition, insertRow, START } from '../../support/rows/insert-row.ts'
import {
  insertMarketConfig,
  openAudit,
  type ScriptedContracts,
  scriptContracts,
  viewKey,
} from '../../support/scripted-books.ts'
import { insertVault } from '../../support/vault-rows.ts'
import { indexUpTo } from '../observability/operator-api.ts'

/** Rows and contracts that agree; each test then changes one side. */

const hook = `0x${'b0'.repeat(20)}` as const
const rewardToken = `0x${'b1'.repeat(20)}` as const
const TOKEN = 10n ** 18n
const requester = anActor().address
const creditor = anActor().address
const vaultId: Hex = `0x${'5a'.repeat(32)}`
const vault = `0x${'5b'.repeat(20)}` as const
const vaultToken = `0x${'5c'.repeat(20)}` as const
/** Escrow of two tasks, a stake and a credit. */
const OWED = 5_000_000n + 3_000_000n + 200_000n + 70_000n

let api: TestApi
let script: ScriptedContracts
let audit: ReturnType<typeof openAudit>
let taskId: Hex

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())
beforeEach(async () => {
  await api.sql`
    truncate idx_0000000000000000.task, reference_code, task_event, credit, agent, market_stats, market_config, market_event,
      relayed_intent, arrival, bonus_programme, bonus_account, bonus_credit, sponsored_vault, vault_address`
  await api.sql`update service.audits set state = null, compared_at = null, due_at = now()`
  script = scriptContracts(api.chain)
  const deployment = { ...api.deps.deployment, bonusHook: hook, rewardToken }
  audit = openAudit(api, script, deployment)
  await indexUpTo(api, 100n, START)
  await insertRowsOfAll()
  const { market, forwarder, usdc } = deployment
  script.views = new Map<string, unknown>([
    [viewKey(market, 'totalEscrow'), OWED],
    [viewKey(market, 'creditOf', creditor), 70_000n],
    [viewKey(market, 'nonceOf', requester), 2n],
    [viewKey(forwarder, 'fees'), 3_000n],
    [viewKey(hook, 'totalClaimable'), 8n * TOKEN],
    [viewKey(vault, 'totals'), { available: 10n, reserved: 20n, owed: 30n, fees: 5n, feeCredit: 0n }],
  ])
  script.balances = new Map([
    [`${usdc} ${market}`, OWED],
    [`${usdc} ${forwarder}`, 3_000n],
    [`${rewardToken} ${hook}`, 1_000n * TOKEN],
    [`${vaultToken} ${vault}`, 65n],
  ])
})

async function insertRowsOfAll() {
  const { sql, seed } = api
  taskId = (await seed.task({ requester, escrow: 5_000_000n })).id
  const claimed = await seed.task({ requester, mode: 'claim', status: 'claimed', escrow: 3_000_000n, stake: 200_000n })
  await seed.credit(creditor, 70_000n)
  await seed.agent(requester)
  await sql`update agent set tasks_created = 2`
  await sql`update market_stats set total_escrow = ${String(OWED)}, task_count = 2`
  if ((await sql`select from market_stats`).length === 0) await insertStats()
  await aProgramme(sql)
  await sql`update bonus_programme set hook = ${hook}, token = ${rewardToken}`
  await insertMarketConfig(api)
  await insertAccount(sql, creditor, { firstSeen: START, claimable: 8n * TOKEN })
  await sql`update bonus_programme set total_claimable = ${String(8n * TOKEN)}, total_credited = ${String(8n * TOKEN)}`
  const names = { tokenName: null, tokenSymbol: null, tokenDecimals: null }
  const totals = { available: '10', reserved: '20', owed: '30', fees: '5', fundedTotal: '65' }
  await insertVault(sql, { vaultId, vault, token: vaultToken, names, totals })
  await insertRelays(claimed.id)
}

async function insertStats() {
  await insertRow(api.sql, 'marketStats', {
    id: 'market',
    taskCount: 2,
    totalRewards: '0',
    listedTaskCount: 2,
    listedTotalRewards: '0',
    totalEscrow: String(OWED),
    totalWorkerPayments: '0',
    totalPlatformFees: '0',
    agentCount: 0,
    listedEarnings: '0',
    bonusLiability: '0',
    lastCreatedAtMs: 0n,
  })
}

/** Paid creation, top-up and claim, each with a fee of 1,000, one payment that is fee alone; and a sweep of 1,000. */
async function insertRelays(claimedId: Hex) {
  const { sql } = api
  const relay = async (selector: Hex, escrowAmount: bigint) => {
    const position = aPosition()
    await insertRow(sql, 'relayedIntent', {
      intentId: aHash(),
      actor: requester,
      selector,
      amount: escrowAmount + 1000n,
      escrowAmount,
      prepaid: false,
      paymentNonce: aHash(),
      ...position,
    })
    return position
  }
  const event = (
    of: Hex,
    { ordinal, name, amount, place = aPosition() }: { ordinal: number; name: string; amount: bigint; place?: object },
  ) => {
    const row = { id: `${of}:${ordinal}`, taskId: of, ordinal, name, amount: String(amount), subject: requester }
    return sql`insert into task_event ${sql({ ...row, statusAfter: 'open', args: sql.json({}), ...place } as never)}`
  }
  const created = await relay('0xc269eac7', 4_000_000n)
  await event(taskId, { ordinal: 0, name: 'TaskCreated', amount: 4_000_000n, place: created })
  const updated = await relay('0x7782bfb7', 1_000_000n)
  await event(taskId, { ordinal: 1, name: 'TaskUpdated', amount: 1_000_000n, place: updated })
  await event(claimedId, { ordinal: 0, name: 'TaskCreated', amount: 3_000_000n })
  const claimed = await relay('0x08975075', 200_000n)
  await event(claimedId, { ordinal: 1, name: 'TaskWorkerSelected', amount: 200_000n, place: claimed })
  await event(claimedId, { ordinal: 2, name: 'PayoutDeferred', amount: 70_000n })
  await relay('0x12345678', 0n)
  const funded = { ordinal: 1, contract: 'bonus', name: 'ReserveFunded', ...aPosition() }
  await sql`
    insert into market_event ${sql({ ...funded, args: sql.json({ from: requester, amount: String(1000n * TOKEN) }) } as never)}`
  await sql`
    insert into bonus_credit values
      ('c', ${taskId}, 1, 'worker', ${creditor}, 0, 0, 0, 0, 0, ${String(8n * TOKEN)}, 0, 1, 1, ${aHash()}, 0, 0)`
  await sql`insert into market_event ${sql({ ordinal: 0, contract: 'forwarder', name: 'FeesSwept', args: sql.json({ to: requester, amount: '1000' }), ...aPosition() } as never)}`
}

describe('a round of sums', () => {
  it('given rows and contracts that agree, then nothing differs, and both sides are told', async () => {
    const { differences, sums } = await audit.sums(2)
    expect(differences).toEqual([])
    expect(sums).toMatchObject({ block: '100', timestamp: String(START), suspects: [], unread: {} })
    expect(sums?.assets.map(({ asset, contracts }) => [asset, ...contracts.map((one) => one.difference)])).toEqual([
      [api.deps.deployment.usdc, '0', '0'],
      [rewardToken, '0'],
      [vaultToken, '0'],
    ])
    expect(sums?.assets[0]?.contracts).toEqual([
      {
        name: 'market',
        address: api.deps.deployment.market,
        inflow: String(OWED),
        outflow: '0',
        balance: String(OWED),
        accounts: [
          { account: 'escrow', amount: '8000000' },
          { account: 'stake', amount: '200000' },
          { account: 'credit', amount: '70000' },
        ],
        views: [{ name: 'totalEscrow', amount: String(OWED) }],
        difference: '0',
      },
      expect.objectContaining({
        inflow: '4000',
        outflow: '1000',
        accounts: [
          { account: 'service_fees', amount: '3000' },
          { account: 'prepaid', amount: '0' },
        ],
      }),
    ])
    expect(sums?.assets[1]?.contracts[0]?.accounts).toEqual([
      { account: 'bonus', amount: String(8n * TOKEN) },
      { account: 'bonus_reserve', amount: String(992n * TOKEN) },
    ])
    expect(new Set(script.reads.map(({ blockHash }) => blockHash))).toEqual(new Set([script.hash]))
  })

  const addresses = { market: `0x${'a1'.repeat(20)}`, forwarder: `0x${'b2'.repeat(20)}` }
  const ledgerOf = (name: keyof typeof addresses, amount: string) => ({ sum: 'ledger', of: addresses[name], amount })
  const lowered =
    (key: () => string, by = 1n) =>
    () =>
      script.balances.set(key(), (script.balances.get(key()) as bigint) - by)
  const { usdc, market, forwarder } = {
    usdc: () => api.deps.deployment.usdc,
    market: () => api.deps.deployment.market,
    forwarder: () => api.deps.deployment.forwarder,
  }
  test.each<[string, () => unknown, object[]]>([
    [
      'an escrow',
      () => api.sql`update task set escrow = escrow - 1 where id = ${taskId}`,
      [{ sum: 'market_total_escrow', of: null, amount: '1' }],
    ],
    [
      'a stake',
      () => api.sql`update task set stake = stake - 5 where stake > 0`,
      [{ sum: 'market_total_escrow', of: null, amount: '5' }],
    ],
    [
      'a credit',
      () => api.sql`update credit set amount = amount + 1`,
      [
        { sum: 'market_balance', of: null, amount: '-1' },
        { sum: 'market_total_escrow', of: null, amount: '-1' },
        { sum: 'credits', of: creditor, amount: '-1' },
      ],
    ],
    [
      'a running total',
      () => api.sql`update market_stats set total_escrow = total_escrow - 9`,
      [{ sum: 'market_total_escrow', of: null, amount: '9' }],
    ],
    [
      'the market’s balance',
      () => lowered(() => `${usdc()} ${market()}`)(),
      [{ sum: 'market_balance', of: null, amount: '-1' }, ledgerOf('market', '-1')],
    ],
    [
      'the forwarder’s balance',
      () => lowered(() => `${usdc()} ${forwarder()}`)(),
      [{ sum: 'forwarder_balance', of: null, amount: '-1' }, ledgerOf('forwarder', '-1')],
    ],
    [
      'a payment',
      () => api.sql`update relayed_intent set amount = amount - 7 where selector = '0x08975075'`,
      [{ sum: 'forwarder_fees', of: null, amount: '7' }, ledgerOf('forwarder', '7')],
    ],
    [
      'a lost sweep',
      () => api.sql`delete from market_event where name = 'FeesSwept'`,
      [
        { sum: 'forwarder_balance', of: null, amount: '-1000' },
        { sum: 'forwarder_fees', of: null, amount: '-1000' },
        ledgerOf('forwarder', '-1000'),
      ],
    ],
    [
      'an account’s bonus',
      () => api.sql`update bonus_account set claimable = claimable - 1`,
      [{ sum: 'bonus_total_claimable', of: null, amount: '1' }],
    ],
    [
      'the programme’s balance',
      () => lowered(() => `${rewardToken} ${hook}`)(),
      [
        { sum: 'bonus_balance', of: null, amount: '-1' },
        { sum: 'ledger', of: hook, amount: '-1' },
      ],
    ],
    [
      'a vault’s reserve',
      () => api.sql`update sponsored_vault set reserved = reserved - 2`,
      [{ sum: 'vault_totals', of: vaultId, amount: '2' }],
    ],
    [
      'a vault’s balance',
      () => lowered(() => `${vaultToken} ${vault}`)(),
      [{ sum: 'vault_balance', of: vaultId, amount: '-1' }],
    ],
    [
      'a lost task',
      () => api.sql`update agent set tasks_created = 1`,
      [
        { sum: 'nonces', of: requester, amount: '1' },
        { sum: 'task_count', of: null, amount: '-1' },
      ],
    ],
  ])('given a change of %s by hand, then the second round tells it', async (_name, change, expected) => {
    await change()
    expect((await audit.sums(2)).differences).toEqual(expected)
    expect(audit.warned).toEqual(expected)
  })

  it('given a difference that stays, then the first round tells nothing, later ones tell it, and it is logged once', async () => {
    await api.sql`update sponsored_vault set reserved = reserved - 2`
    const expected = [{ sum: 'vault_totals', of: vaultId, amount: '2' }]
    expect((await audit.sums()).differences).toEqual([])
    for (let round = 0; round < 2; round += 1) {
      expect((await audit.sums()).differences).toEqual(expected)
      expect(audit.warned).toEqual(expected)
    }
  })

  it('given more money than the rows know, then the ledger tells it, of a vault nothing does', async () => {
    for (const [key, balance] of script.balances) script.balances.set(key, (balance as bigint) + 1n)
    expect((await audit.sums(2)).differences).toEqual([
      ledgerOf('market', '1'),
      ledgerOf('forwarder', '1'),
      { sum: 'ledger', of: hook, amount: '1' },
    ])
  })

  it('given arrivals past the functions, then nothing differs, and they are accounts of their contract', async () => {
    const { market, forwarder, usdc } = api.deps.deployment
    const arrivals = [
      [usdc, market],
      [rewardToken, market],
      [usdc, forwarder],
      [rewardToken, hook],
    ] as const
    for (const [index, [token, contract]] of arrivals.entries()) {
      await api.sql`insert into arrival values (${`${index}`}, ${token}, ${contract}, ${creditor}, 3, 1, 1, ${aHash()}, 0, 0)`
      script.balances.set(`${token} ${contract}`, ((script.balances.get(`${token} ${contract}`) ?? 0n) as bigint) + 3n)
    }
    const { differences, sums } = await audit.sums(2)
    expect(differences).toEqual([])
    const [ofUsdc, ofToken] = sums?.assets ?? []
    expect(ofUsdc?.contracts[0]?.accounts.at(-1)).toEqual({ account: 'unassigned', amount: '3' })
    expect(ofUsdc?.contracts[1]?.accounts).toContainEqual({ account: 'prepaid', amount: '3' })
    expect(ofToken?.contracts[0]?.accounts.at(-1)).toEqual({
      account: 'bonus_reserve',
      amount: String(992n * TOKEN + 3n),
    })
    expect(ofToken?.contracts[1]).toMatchObject({ name: 'market', accounts: [{ account: 'unassigned', amount: '3' }] })
  })

  it('given a difference that one round alone finds, then neither it nor its figures are told', async () => {
    await audit.sums()
    await api.sql`update task set escrow = 0 where id = ${taskId}`
    const { differences, sums } = await audit.sums()
    expect([differences, sums?.assets[0]?.contracts[0]?.difference, sums?.suspects.length]).toEqual([[], '0', 1])
    await api.sql`update task set escrow = 5000000 where id = ${taskId}`
    expect((await audit.sums(2)).differences).toEqual([])
    expect(audit.warned).toEqual([])
  })
})

describe('a block that is not to be read', () => {
  test.each<[string, () => unknown]>([
    [
      'the node does not have yet, or any more',
      () => {
        script.hash = null
      },
    ],
    [
      'a reorg has removed',
      () => {
        script.refusal = new ChainUnavailable('header not found')
      },
    ],
    ['whose rows are being written', () => api.sql`update indexed_head set ready = false`],
  ])('given one that %s, then nothing is compared, and the next round tries the next', async (_name, change) => {
    await api.sql`update task set escrow = 0`
    await change()
    expect(await audit.sums(3)).toMatchObject({ sums: null, differences: [], sumsAge: null })
    script.hash = aHash()
    script.refusal = null
    await indexUpTo(api, 101n, START + 2n)
    expect((await audit.sums(2)).sums?.block).toBe('101')
  })
})

describe('hostile vaults', () => {
  test.each<[string, () => Promise<bigint | null>]>([
    ['reverts, burns its gas or answers no word', async () => null],
    ['says it has less', async () => 0n],
    ['says it has more', async () => 2n ** 256n - 1n],
  ])('given a token that %s, then the others are compared all the same', async (_name, balance) => {
    script.balances.set(`${vaultToken} ${vault}`, balance)
    await api.sql`update task set escrow = 0 where id = ${taskId}`
    const { differences, sums } = await audit.sums(2)
    expect(differences).toContainEqual({ sum: 'market_total_escrow', of: null, amount: '5000000' })
    const said = await balance()
    expect(sums?.unread).toEqual(said === null ? { vault_balance: 1 } : {})
    expect(differences.some(({ sum }) => sum === 'vault_balance')).toBe(said === 0n)
  })

  it('given a vault that does not answer, then it is unread, and not equal', async () => {
    script.views.delete(viewKey(vault, 'totals'))
    const { differences, sums } = await audit.sums(2)
    expect([differences, sums?.unread]).toEqual([[], { vault_totals: 1 }])
  })

  it('given more vaults than a page, then each is looked at in turn', async () => {
    for (let made = 0; made < 45; made += 1) await insertVault(api.sql, { vaultId: aHash() })
    const seen = new Set<string>()
    for (let round = 0; round < 3; round += 1) {
      const { sums } = await audit.sums()
      const vaults = sums?.assets.flatMap(({ contracts }) => contracts.filter(({ name }) => name === 'vault')) ?? []
      expect(vaults.length).toBeLessThanOrEqual(20)
      for (const { address } of vaults) seen.add(address)
    }
    expect(seen.size).toBe(46)
  })
})

describe('several processes', () => {
  it('given another process in its round, then this one makes none; given one that died, then it goes on', async () => {
    await claimAudit(api.sql, 'sums')
    const { auditSums } = await import('../../../api/books/audit-sums.ts')
    await auditSums(audit.deps)
    expect(script.reads).toEqual([])
    await audit.sums()
    expect(script.reads.length).toBe(1)
  })
})

it('given more relays than are final, then their fees are counted once, and again with other tables', async () => {
  await indexUpTo(api, 1_000n, START)
  expect((await audit.sums(2)).differences).toEqual([])
  const { sums } = await audit.found()
  expect(sums?.counted).toMatchObject({ block: '936', schemaVersion: 'idx_0000000000000000' })
  expect(sums?.counted?.flows).toContainEqual(
    expect.objectContaining({ from: 'wallet', to: 'service_fees', amount: '4000' }),
  )
  await api.sql`update indexed_head set schema_version = 'idx_1111111111111111'`
  expect((await audit.sums(2)).differences).toEqual([])
})
