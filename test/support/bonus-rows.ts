import type { Address, Hex } from 'viem'
import type { Database } from '../../api/db/client.ts'
import { defaultBonusSetup } from '../../scripts/contracts/bonus-setup.ts'
import { aHash, START } from './builders.ts'

const { terms, bounds, caps, ramp } = defaultBonusSetup
const TOKEN = 10n ** 18n

const position = () => ({
  blockNumber: 1n,
  blockTimestamp: START,
  transactionHash: aHash(),
  transactionIndex: 0,
  logIndex: 0,
})

/** A programme of 10 tokens for one USDC with the settings of a deployment, started a year ago; returns its address. */
export async function aProgramme(sql: Database): Promise<Address> {
  const hook: Address = `0x${'b0'.repeat(20)}`
  const row = {
    id: 'bonus',
    hook,
    market: `0x${'a1'.repeat(20)}`,
    token: `0x${'b1'.repeat(20)}`,
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
  sql: Database,
  account: Address,
  { firstSeen, claimable }: { firstSeen: bigint; claimable: bigint },
): Promise<void> {
  const sums = { epoch: 0, workerUsd: 0, requesterUsd: 0, creditedTotal: String(claimable), withdrawnTotal: 0 }
  const row = { account, firstSeen, claimable: String(claimable), withdrawalCount: 0, ...sums, ...position() }
  await sql`insert into bonus_account ${sql(row)}`
}

/** The values that were fixed with a worker, in the first round, in the sizes of a deployment. */
export async function insertLock(
  sql: Database,
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
  sql: Database,
  taskId: Hex,
  { account, role, credited }: { account: Address; role: 'worker' | 'requester'; credited: bigint },
): Promise<void> {
  const tokenPerUsdc = 2_000_000
  const completion = { taskId, tokenPerUsdc, bonusBps: 750, workerSplitBps: 8000, ...position() }
  await sql`insert into bonus_completion ${sql(completion)} on conflict do nothing`
  const row = {
    id: `${taskId}:1:${role}`,
    taskId,
    rank: 1,
    role,
    account,
    usdBonus: 200,
    usdCredited: 100,
    tokenPerUsdc,
    share: String(credited),
    multiplierBps: 10_000,
    credited: String(credited),
    epoch: 0,
    ...position(),
  }
  await sql`insert into bonus_credit ${sql(row)}`
}
