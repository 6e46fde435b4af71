import type { Address, Hex } from 'viem'
import { takeFrom } from '../../protocol/rules/amounts.ts'
import type { BonusSide } from '../../protocol/rules/bonus.ts'
import { bonusAccount, bonusCompletion, bonusEpoch, bonusProgramme } from '../schema/bonus.ts'
import { type PositionedEvent, positionOf } from './event-position.ts'
import { updateMarketStats } from './market.ts'
import type { Store } from './store.ts'

/** The key of the only row of `bonus_programme`. */
const id = 'bonus'

export type BonusProgrammeRow = typeof bonusProgramme.$inferSelect
type BonusAccountRow = typeof bonusAccount.$inferSelect

/** Creates the programme's row with empty settings. The next logs of the same transaction contain the settings. */
export async function insertProgramme(
  store: Store,
  bonusStart: {
    hook: Address
    market: Address
    token: Address
    tokenDecimals: number
    startedAt: bigint
    epochSeconds: bigint
  },
): Promise<void> {
  await store.insert(bonusProgramme).values({
    id,
    hook: bonusStart.hook,
    market: bonusStart.market,
    token: bonusStart.token,
    tokenDecimals: bonusStart.tokenDecimals,
    startedAt: bonusStart.startedAt,
    epochSeconds: bonusStart.epochSeconds,
    tokenPerUsdc: 0n,
    bonusBps: 0,
    workerSplitBps: 0,
    maxBonusPerFeeBps: 0,
    maxRateDriftBps: 0,
    globalUsdCap: 0n,
    workerUsdCap: 0n,
    requesterUsdCap: 0n,
    taskUsdCap: 0n,
    globalTokenCap: 0n,
    rampAfterSeconds: [],
    rampMultiplierBps: [],
    totalClaimable: 0n,
    totalCredited: 0n,
    totalWithdrawn: 0n,
    totalFunded: 0n,
    totalTaken: 0n,
  })
}

/** Returns the programme's row. The programme's first event creates the row. @throws if the row does not exist */
export async function getProgramme(store: Store): Promise<BonusProgrammeRow> {
  const row = await store.find(bonusProgramme, { id })
  if (row === null) throw new Error('the programme of bonuses has no row')
  return row
}

/** Stores the programme's current rates and bounds for a completed task. Does nothing if they are stored already. */
export async function insertCompletion(store: Store, taskId: Hex, event: PositionedEvent): Promise<void> {
  const { tokenPerUsdc, bonusBps, workerSplitBps, maxBonusPerFeeBps, maxRateDriftBps } = await getProgramme(store)
  const settings = { tokenPerUsdc, bonusBps, workerSplitBps, maxBonusPerFeeBps, maxRateDriftBps }
  await store
    .insert(bonusCompletion)
    .values({ taskId, ...settings, ...positionOf(event) })
    .onConflictDoNothing()
}

/** Changes settings or totals of the programme. */
export async function updateProgramme(
  store: Store,
  change: (row: BonusProgrammeRow) => Partial<Omit<BonusProgrammeRow, 'id'>>,
): Promise<void> {
  await store.update(bonusProgramme, { id }).set(change)
}

/**
 * Adds a credit to the totals of the account, the epoch and the programme, and to the market's `bonusLiability`.
 * @param usd value that counts against the caps, USDC base units
 * @param tokens credited tokens, base units
 */
export async function addCredit(
  store: Store,
  {
    account,
    role,
    usd,
    tokens,
    epoch,
  }: {
    account: Address
    role: BonusSide
    usd: bigint
    tokens: bigint
    epoch: number
  },
): Promise<void> {
  await store.update(bonusAccount, { account }).set((row) => ({
    ...sumsAfter(row, { role, usd, epoch }),
    claimable: row.claimable + tokens,
    creditedTotal: row.creditedTotal + tokens,
  }))
  await store
    .insert(bonusEpoch)
    .values({ epoch, usd, tokens, creditCount: 1 })
    .onConflictDoUpdate((row) => ({
      usd: row.usd + usd,
      tokens: row.tokens + tokens,
      creditCount: row.creditCount + 1,
    }))
  await updateProgramme(store, (row) => ({
    totalClaimable: row.totalClaimable + tokens,
    totalCredited: row.totalCredited + tokens,
  }))
  await updateMarketStats(store, (row) => ({ bonusLiability: row.bonusLiability + tokens }))
}

/**
 * Records a withdrawal of `amount` base units of the token. Subtracts `amount` from the account's `claimable`, the
 * programme's `totalClaimable` and the market's `bonusLiability`. Adds `amount` to the withdrawn totals of the account
 * and the programme.
 * @returns the ordinal of the withdrawal among the account's withdrawals
 */
export async function takeClaim(store: Store, account: Address, amount: bigint): Promise<number> {
  const { withdrawalCount } = await store.update(bonusAccount, { account }).set((row) => ({
    claimable: takeFrom(row.claimable, amount),
    withdrawnTotal: row.withdrawnTotal + amount,
    withdrawalCount: row.withdrawalCount + 1,
  }))
  await updateProgramme(store, (row) => ({
    totalClaimable: takeFrom(row.totalClaimable, amount),
    totalWithdrawn: row.totalWithdrawn + amount,
  }))
  await updateMarketStats(store, (row) => ({ bonusLiability: takeFrom(row.bonusLiability, amount) }))
  return withdrawalCount - 1
}

/**
 * Returns the key `<taskId>:<rank>:<role>`. Role `award`: the whole award. Role `worker` or `requester`: one side of
 * the award. Example: `0xab..:1:worker`.
 */
export function toBonusSideId(taskId: Hex, { rank, role }: { rank: number; role: string }): string {
  return `${taskId.toLowerCase()}:${rank}:${role}`
}

function sumsAfter(
  row: BonusAccountRow,
  { role, usd, epoch }: { role: BonusSide; usd: bigint; epoch: number },
): Pick<BonusAccountRow, 'epoch' | 'workerUsd' | 'requesterUsd'> {
  const isSameEpoch = row.epoch === epoch
  const workerUsd = isSameEpoch ? row.workerUsd : 0n
  const requesterUsd = isSameEpoch ? row.requesterUsd : 0n
  return {
    epoch,
    workerUsd: role === 'worker' ? workerUsd + usd : workerUsd,
    requesterUsd: role === 'requester' ? requesterUsd + usd : requesterUsd,
  }
}
