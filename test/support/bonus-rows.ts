import type { Address, Hex } from 'viem'
import type { Queryable } from '../../api/db/client.ts'
import { defaultBonusSetup } from '../../scripts/contracts/bonus-setup.ts'
import { aHash, START } from './rows/insert-row.ts'

const { terms, bounds, caps, ramp } = defaultBonusSetup
const TOKEN = 10n ** 18n
/** Base units of the token for one USDC, at completions and in credits. */
const creditRate = 2_000_000

const position = () => ({
  blockNumber: 1n,
  blockTimestamp: START,
  transactionHash: aHash(),
  transactionIndex: 0,
  logIndex: 0,
})

/** A programme of 10 tokens for one USDC with the settings of a deployment, started a year ago; returns its address. */
export async function aProgramme(sql: Queryable): Promise<Address> {
  const hook: Address = `0x${'b0'.repeat(20)}`
  const row = {
    id: 'bonus',
    hook,
    market: `0x${'a1'.repeat(20)}`,
    token: `0x${'b1'.repeat(20)}`,
    tokenDecimals: 18,
    startedAt: START - 31_536_000n,
    epochSeconds: 604_800n,
    tokenPerUsdc: String(10n * TOKEN),
    bonusBps: terms.bonusBps,
    workerSplitBps: terms.workerSplitBps,
    ...bounds,
    globalUsdCap: caps.globalUsd,
    workerUsdCap: caps.workerUsd,
    requesterUsdCap: caps.requesterUsd,
    taskUsdCap: caps.taskUsd,
    globalTokenCap: String(caps.globalTokens),
    rampAfterSeconds: [...ramp.afterSeconds],
    rampMultiplierBps: [...ramp.multiplierBps],
    totalClaimable: 0,
    totalCredited: 0,
    totalWithdrawn: 0,
    totalFunded: String(1000n * TOKEN),
    totalTaken: 0,
  }
  await sql`insert into bonus_programme ${sql(row)}`
  return hook
}

/** The record of a wallet. */
export async function insertAccount(
  sql: Queryable,
  account: Address,
  { firstSeen, claimable }: { firstSeen: bigint; claimable: bigint },
): Promise<void> {
  const sums = { epoch: 0, workerUsd: 0, requesterUsd: 0, creditedTotal: String(claimable), withdrawnTotal: 0 }
  const row = { account, firstSeen, claimable: String(claimable), withdrawalCount: 0, ...sums, ...position() }
  await sql`insert into bonus_account ${sql(row)}`
}

/** The values that were fixed with a worker, in the first round, in the sizes of a deployment. */
export async function insertLock(
  sql: Queryable,
  taskId: Hex,
  lock: { worker: Address; price: bigint; tokenPerUsdc: bigint },
): Promise<void> {
  const row = {
    taskId,
    worker: lock.worker,
    round: 0,
    price: lock.price,
    usdValue: (lock.price * BigInt(terms.bonusBps)) / 10_000n,
    tokenPerUsdc: String(lock.tokenPerUsdc),
    bonusBps: terms.bonusBps,
    workerSplitBps: terms.workerSplitBps,
    ...position(),
  }
  await sql`insert into bonus_lock ${sql(row)}`
}

/** A credit of the first award, worth 100 base units of USDC, and the completion that it was part of. */
export async function insertCredit(
  sql: Queryable,
  taskId: Hex,
  { account, role, credited }: { account: Address; role: 'worker' | 'requester'; credited: bigint },
): Promise<void> {
  await insertCompletion(sql, taskId)
  const row = {
    id: `${taskId}:1:${role}`,
    taskId,
    rank: 1,
    role,
    account,
    usdBonus: 200,
    usdCredited: 100,
    tokenPerUsdc: creditRate,
    share: String(credited),
    multiplierBps: 10_000,
    credited: String(credited),
    epoch: 0,
    ...position(),
  }
  await sql`insert into bonus_credit ${sql(row)}`
}

/** An award, or a side of one, that earned nothing, and the completion that it was part of. */
export async function insertSkip(
  sql: Queryable,
  taskId: Hex,
  { account, role, reason }: { account: Address; role: 'award' | 'worker' | 'requester'; reason: string },
): Promise<void> {
  await insertCompletion(sql, taskId)
  await sql`
    insert into bonus_skip ${sql({ id: `${taskId}:1:${role}`, taskId, rank: 1, role, account, reason, ...position() })}`
}

/** The terms in force when a task was completed: two tokens’ base units for one base unit of USDC. */
async function insertCompletion(sql: Queryable, taskId: Hex): Promise<void> {
  const { bonusBps, workerSplitBps } = terms
  const completion = { taskId, tokenPerUsdc: creditRate, bonusBps, workerSplitBps, ...bounds, ...position() }
  await sql`insert into bonus_completion ${sql(completion)} on conflict do nothing`
}
