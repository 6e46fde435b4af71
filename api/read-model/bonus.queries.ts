import type { Address, Hex } from 'viem'
import type { BonusSide, BonusTerms } from '../../protocol/rules/bonus.ts'
import { keepingPlans, type Queryable } from '../db/client.ts'

/** Returns the bonus programme's present terms, or null if no programme is indexed. */
export async function findBonusTerms(sql: Queryable): Promise<BonusTerms | null> {
  const rows = await sql<BonusTerms[]>`select token_per_usdc, bonus_bps, worker_split_bps from bonus_programme`
  return rows[0] ?? null
}

/**
 * Returns the amount that an account may withdraw, in base units of the reward token. Returns 0 if the account has no
 * row in the bonus table.
 */
export async function findClaimable(sql: Queryable, account: Address): Promise<bigint> {
  const rows = await sql<{ claimable: bigint }[]>`select claimable from bonus_account where account = ${account}`
  return rows[0]?.claimable ?? 0n
}

/** The bonus programme's hook and token. `tokenPerUsdc` is in base units of the token for one USDC. */
export interface BonusProgramme {
  hook: Address
  token: Address
  tokenPerUsdc: bigint
}

/** Returns the bonus programme, or null if no programme is indexed. */
export async function findBonusProgramme(sql: Queryable): Promise<BonusProgramme | null> {
  const rows = await sql<BonusProgramme[]>`select hook, token, token_per_usdc from bonus_programme`
  return rows[0] ?? null
}

/** Returns the hash of the indexed transaction that executed a signed withdrawal, or undefined if none is indexed. */
export async function findIndexedWithdrawal(
  sql: Queryable,
  { account, destination, nonce }: { account: Address; destination: Address; nonce: Hex },
): Promise<Hex | undefined> {
  const rows = await sql<{ transactionHash: Hex }[]>`
    select transaction_hash from bonus_withdrawal
    where nonce = ${nonce} and account = ${account} and destination = ${destination}`
  return rows[0]?.transactionHash
}

/**
 * The terms of the bonus programme, and a task's columns of the bonus tables. The columns of a bonus table are null if
 * the table has no row for the task.
 */
export interface TaskBonusRow {
  tokenPerUsdc: bigint
  bonusBps: number
  workerSplitBps: number
  maxBonusPerFeeBps: bigint
  maxRateDriftBps: bigint
  globalUsdCap: bigint
  workerUsdCap: bigint
  requesterUsdCap: bigint
  taskUsdCap: bigint
  globalTokenCap: bigint
  rampAfterSeconds: [bigint, bigint, bigint]
  rampMultiplierBps: [number, number, number, number]
  startedAt: bigint
  epochSeconds: bigint
  /**
   * The reserve of the programme, in base units of the token: the funded tokens, less the tokens that the owner
   * withdrew and the tokens that were credited to accounts. Never below 0. Plain token transfers to the programme are
   * not part of the reserve.
   */
  reserve: bigint
  lockPrice: bigint | null
  lockTokenPerUsdc: bigint | null
  lockBonusBps: number | null
  lockWorkerSplitBps: number | null
  completionTokenPerUsdc: bigint | null
  completionBonusBps: number | null
  completionWorkerSplitBps: number | null
  completionMaxBonusPerFeeBps: bigint | null
  completionMaxRateDriftBps: bigint | null
  /** The token rate of the task's bonus credits, in the unit of `tokenPerUsdc`. Null if the task has no credit. */
  creditTokenPerUsdc: bigint | null
  /**
   * True if the programme computed a bonus above 0 for an award of the task, before it applied multipliers, caps and
   * the reserve. The credited amount may still be 0.
   */
  hadValue: boolean
  workerFirstSeen: bigint | null
  workerEpoch: number | null
  workerUsd: bigint | null
  requesterFirstSeen: bigint | null
  requesterEpoch: number | null
  requesterUsd: bigint | null
  newestEpoch: number | null
  newestEpochUsd: bigint | null
  newestEpochTokens: bigint | null
}

/** Returns a task's bonus. Returns null if the bonus programme is not among the default hooks of the task. */
export async function findTaskBonus(sql: Queryable, taskId: Hex): Promise<TaskBonusRow | null> {
  const rows = await keepingPlans(sql)<TaskBonusRow[]>`
    select p.token_per_usdc, p.bonus_bps, p.worker_split_bps, p.max_bonus_per_fee_bps, p.max_rate_drift_bps,
      p.global_usd_cap, p.worker_usd_cap, p.requester_usd_cap, p.task_usd_cap, p.global_token_cap,
      p.ramp_after_seconds, p.ramp_multiplier_bps, p.started_at, p.epoch_seconds,
      greatest(p.total_funded - p.total_taken - p.total_credited, 0) as reserve,
      l.price as lock_price, l.token_per_usdc as lock_token_per_usdc, l.bonus_bps as lock_bonus_bps,
      l.worker_split_bps as lock_worker_split_bps,
      c.token_per_usdc as completion_token_per_usdc, c.bonus_bps as completion_bonus_bps,
      c.worker_split_bps as completion_worker_split_bps,
      c.max_bonus_per_fee_bps as completion_max_bonus_per_fee_bps,
      c.max_rate_drift_bps as completion_max_rate_drift_bps,
      (select max(token_per_usdc) from bonus_credit k where k.task_id = t.id) as credit_token_per_usdc,
      exists (select from bonus_credit k where k.task_id = t.id)
        or exists (select from bonus_skip k where k.task_id = t.id and k.role <> 'award') as had_value,
      w.first_seen as worker_first_seen, w.epoch as worker_epoch, w.worker_usd as worker_usd,
      r.first_seen as requester_first_seen, r.epoch as requester_epoch, r.requester_usd as requester_usd,
      newest.epoch as newest_epoch, newest.usd as newest_epoch_usd, newest.tokens as newest_epoch_tokens
    from task t
    join hook_set s on s.id = t.hook_set
    join bonus_programme p on p.hook = any((s.hooks)[1:s.default_count])
    left join bonus_lock l on l.task_id = t.id and l.round = t.claim_round
    left join bonus_completion c on c.task_id = t.id
    left join bonus_account w on w.account = t.worker
    left join bonus_account r on r.account = t.requester
    left join lateral (select epoch, usd, tokens from bonus_epoch order by epoch desc limit 1) newest on true
    where t.id = ${taskId}`
  return rows[0] ?? null
}

/**
 * An award of an evaluator's verdict, with the worker's bonus account. The fields of the bonus account are null if the
 * worker has none.
 */
export interface BonusAwardRow {
  worker: Address
  rank: number
  /** The gross amount of the award, in base units of USDC. */
  amount: bigint
  firstSeen: bigint | null
  epoch: number | null
  workerUsd: bigint | null
}

/**
 * Lists the awards of the evaluator's verdict on a task, in the order of payment. Empty if the evaluator has not
 * decided.
 */
export async function listBonusAwards(sql: Queryable, taskId: Hex): Promise<BonusAwardRow[]> {
  return await sql<BonusAwardRow[]>`
    select v.worker, v.rank, v.amount, a.first_seen, a.epoch, a.worker_usd
    from verdict_award v left join bonus_account a on a.account = v.worker
    where v.task_id = ${taskId} and v.decided_by = 'evaluator'
    order by v.award_index`
}

export interface BonusCreditRow {
  account: Address
  role: BonusSide
  rank: number
  usdCredited: bigint
  credited: bigint
  multiplierBps: number
}

/**
 * Lists a task's bonus credits by the rank of the award. At each rank, the worker's credit comes before the requester's
 * credit. At most 50 awards with two credits each.
 */
export async function listBonusCredits(sql: Queryable, taskId: Hex): Promise<BonusCreditRow[]> {
  return await sql<BonusCreditRow[]>`
    select account, role, rank, usd_credited, credited, multiplier_bps
    from bonus_credit where task_id = ${taskId}
    order by rank, role desc`
}
