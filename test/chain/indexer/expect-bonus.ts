import type postgres from 'postgres'
import { getContract, parseEventLogs, zeroHash } from 'viem'
import { expect } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { bonusRoles, bonusValueOf, skipReasons } from '../../../protocol/rules/bonus.ts'
import { bonusOf } from './calls/bonus.ts'
import { lower } from './expectation.ts'
import { createLogReader } from './kept-logs.ts'
import type { MarketChain } from './market-chain.ts'

interface Subject {
  sql: postgres.Sql
  chain: MarketChain
}

/** Every table of the programme against the contract's views, and where it has none, against its logs. */
export async function expectBonusEqual(subject: Subject): Promise<void> {
  await expectProgrammeEqual(subject)
  await expectAccountsEqual(subject)
  await expectLocksEqual(subject)
  await expectCompletionsEqual(subject)
  await expectCreditsEqual(subject)
}

async function expectProgrammeEqual({ sql, chain }: Subject): Promise<void> {
  const read = viewsOf(chain)
  const [terms, bounds, caps, ramp] = await Promise.all([read.terms(), read.bounds(), read.caps(), read.ramp()])
  const [row] = await sql`SELECT * FROM market.bonus_programme`
  const totalClaimable = await read.totalClaimable()
  expect(row).toMatchObject({
    hook: lower(bonusOf(chain).bonusHook),
    market: lower(await read.market()),
    token: lower(await read.token()),
    started_at: String(await read.startedAt()),
    token_per_usdc: String(terms.tokenPerUsdc),
    bonus_bps: terms.bonusBps,
    worker_split_bps: terms.workerSplitBps,
    max_bonus_per_fee_bps: String(bounds.maxBonusPerFeeBps),
    max_rate_drift_bps: String(bounds.maxRateDriftBps),
    global_usd_cap: String(caps.globalUsd),
    worker_usd_cap: String(caps.workerUsd),
    requester_usd_cap: String(caps.requesterUsd),
    task_usd_cap: String(caps.taskUsd),
    global_token_cap: String(caps.globalTokens),
    ramp_after_seconds: ramp.afterSeconds.map(String),
    ramp_multiplier_bps: [...ramp.multiplierBps],
    total_claimable: String(totalClaimable),
  })
  // Tokens that reach the programme past its functions are in none of its totals.
  const [past] = await sql`
    SELECT coalesce(sum(amount), 0) AS tokens FROM market.ledger
    WHERE to_account = 'bonus_reserve' AND kind <> 'bonus_funded'`
  const [gifts, funded, taken, claimed] = [past?.tokens, row?.total_funded, row?.total_taken, row?.total_withdrawn]
  const held = BigInt(gifts) + BigInt(funded) - BigInt(taken) - BigInt(claimed)
  expect(held - totalClaimable).toBe(await read.available())
  expect(row?.token_decimals).toBe(18)
  const [stats] = await sql`SELECT bonus_liability FROM market.market_stats`
  expect(stats?.bonus_liability).toBe(String(totalClaimable))

  const [epoch, usd, tokens] = await read.epochNow()
  const [epochRow] = await sql`SELECT usd, tokens FROM market.bonus_epoch WHERE epoch = ${Number(epoch)}`
  expect(epochRow ?? { usd: '0', tokens: '0' }).toEqual({ usd: String(usd), tokens: String(tokens) })
}

async function expectAccountsEqual({ sql, chain }: Subject): Promise<void> {
  const read = viewsOf(chain)
  const seen = (await readBonusLogs(chain)).flatMap((log) =>
    log.eventName === 'WalletFirstSeen' ? [lower(log.args.account)] : [],
  )
  const rows = await sql`SELECT * FROM market.bonus_account`
  expect(rows.map((row) => row.account).toSorted()).toEqual(seen.toSorted())
  const views = await Promise.all(rows.map((row) => read.accountOf([row.account])))
  for (const [index, row] of rows.entries()) {
    const view = views[index]
    expect({
      firstSeen: Number(row.first_seen),
      epoch: row.epoch,
      workerUsd: Number(row.worker_usd),
      requesterUsd: Number(row.requester_usd),
      claimable: BigInt(row.claimable),
    }).toEqual(view)
    const [sums] = await sql`
      SELECT (SELECT coalesce(sum(credited), 0)::text FROM market.bonus_credit WHERE account = ${row.account}) AS credited,
        (SELECT coalesce(sum(amount), 0)::text FROM market.bonus_withdrawal WHERE account = ${row.account}) AS withdrawn,
        (SELECT count(*)::int FROM market.bonus_withdrawal WHERE account = ${row.account}) AS count`
    expect(sums).toEqual({ credited: row.credited_total, withdrawn: row.withdrawn_total, count: row.withdrawal_count })
    expect(BigInt(row.credited_total) - BigInt(row.withdrawn_total)).toBe(view?.claimable)
  }
}

async function expectLocksEqual({ sql, chain }: Subject): Promise<void> {
  const read = viewsOf(chain)
  const rows = await sql`SELECT * FROM market.bonus_lock`
  const locks = await Promise.all(rows.map(async (row) => ({ row, lock: await read.lockOf([row.task_id]) })))
  for (const { row, lock } of locks) {
    expect({
      tokenPerUsdc: BigInt(row.token_per_usdc),
      price: BigInt(row.price),
      bonusBps: row.bonus_bps,
      workerSplitBps: row.worker_split_bps,
      round: row.round,
    }).toEqual(lock)
    expect(BigInt(row.usd_value)).toBe(bonusValueOf(lock.price, lock.bonusBps))
  }
}

/** The settings at the completions, which the programme does not keep, are folded from its logs. */
async function expectCompletionsEqual({ sql, chain }: Subject): Promise<void> {
  const terms = { tokenPerUsdc: 0n, bonusBps: 0, workerSplitBps: 0, maxBonusPerFeeBps: 0, maxRateDriftBps: 0 }
  const completed = new Map<string, object>()
  for (const { eventName, args } of await readBonusLogs(chain)) {
    if (eventName === 'RateUpdated') terms.tokenPerUsdc = args.tokenPerUsdc
    if (eventName === 'BonusBpsUpdated') terms.bonusBps = Number(args.bonusBps)
    if (eventName === 'WorkerSplitUpdated') terms.workerSplitBps = Number(args.workerSplitBps)
    if (eventName === 'BoundsUpdated') {
      terms.maxBonusPerFeeBps = Number(args.maxBonusPerFeeBps)
      terms.maxRateDriftBps = Number(args.maxRateDriftBps)
    }
    if (eventName === 'BonusCredited' || eventName === 'BonusSkipped') completed.set(args.taskId, { ...terms })
  }
  const rows = await sql`SELECT * FROM market.bonus_completion`
  const shown = rows.map((row): [string, object] => [
    row.task_id,
    {
      tokenPerUsdc: BigInt(row.token_per_usdc),
      bonusBps: row.bonus_bps,
      workerSplitBps: row.worker_split_bps,
      maxBonusPerFeeBps: Number(row.max_bonus_per_fee_bps),
      maxRateDriftBps: Number(row.max_rate_drift_bps),
    },
  ])
  expect(new Map(shown)).toEqual(completed)
}

/** Credits, skips and withdrawals have no view: the logs are what they are compared with. */
async function expectCreditsEqual({ sql, chain }: Subject): Promise<void> {
  const logs = await readBonusLogs(chain)
  const credits = logs.flatMap(({ eventName, args }) =>
    eventName === 'BonusCredited'
      ? [[args.taskId, Number(args.rank), bonusRoles[args.role], lower(args.account), args.usdCredited, args.credited]]
      : [],
  )
  const creditRows = await sql`SELECT * FROM market.bonus_credit ORDER BY block_number, log_index`
  expect(
    creditRows.map((row) => [
      row.task_id,
      row.rank,
      row.role,
      row.account,
      BigInt(row.usd_credited),
      BigInt(row.credited),
    ]),
  ).toEqual(credits)
  const skips = logs.flatMap(({ eventName, args }) =>
    eventName === 'BonusSkipped'
      ? [[args.taskId, Number(args.rank), bonusRoles[args.role], lower(args.account), skipReasons[args.reason]]]
      : [],
  )
  const skipRows = await sql`SELECT * FROM market.bonus_skip ORDER BY block_number, log_index`
  expect(skipRows.map((row) => [row.task_id, row.rank, row.role, row.account, row.reason])).toEqual(skips)
  const withdrawals = logs.flatMap(({ eventName, args }) =>
    eventName === 'BonusWithdrawn'
      ? [[lower(args.account), lower(args.destination), args.amount, args.nonce === zeroHash ? null : args.nonce]]
      : [],
  )
  const rows = await sql`SELECT * FROM market.bonus_withdrawal ORDER BY block_number, log_index`
  expect(rows.map((row) => [row.account, row.destination, BigInt(row.amount), row.nonce])).toEqual(withdrawals)
}

/** The programme's logs as the node has them, in order. */
const readBonusLogs = createLogReader(async (chain, range) => {
  const logs = await chain.client.getLogs({ address: bonusOf(chain).bonusHook, ...range })
  return parseEventLogs({ abi: bonusHookAbi, logs })
})

function viewsOf(chain: MarketChain) {
  return getContract({ address: bonusOf(chain).bonusHook, abi: bonusHookAbi, client: chain.client }).read
}
