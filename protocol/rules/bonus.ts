/**
 * The rules for bonuses in the reward token, with the same results as `BonusRules.sol`. Amounts are base units of USDC
 * or of the token. Rates are base units of the token for one whole USDC. Factors are basis points. Divisions round down
 * unless a comment says otherwise.
 */

import { partOf } from './amounts.ts'

/** Base units of one USDC. */
const USDC = 1_000_000n
/** The largest claimable amount that the contract can store for one account, base units of the reward token. */
const LARGEST_CLAIM = 2n ** 112n - 1n

/**
 * The part of an award that a bonus event is about, in the order of the contract's enum. `worker` and `requester`: the
 * part of the bonus for this account. `award`: both, used if the whole award earned no bonus.
 */
export const bonusRoles = ['award', 'worker', 'requester'] as const
export type BonusRole = (typeof bonusRoles)[number]
/** The two accounts of an award that can each get a part of the bonus, in the order in which they are credited. */
export const bonusSides = ['worker', 'requester'] as const
export type BonusSide = (typeof bonusSides)[number]

/** Reasons why an award, a worker or a requester earned no bonus, in the order of the contract's enum `SkipReason`. */
export const skipReasons = [
  'self_award',
  'no_lock',
  'no_rate',
  'fee_bound',
  'too_small',
  'wallet_age',
  'account_cap',
  'task_cap',
  'global_cap',
  'token_cap',
  'reserve',
] as const
export type SkipReason = (typeof skipReasons)[number]

/**
 * The terms of a bonus. `tokenPerUsdc`: the exchange rate. `bonusBps`: the USDC value of the bonus, in basis points of
 * the award. `workerSplitBps`: the worker's share of the bonus in basis points; the requester gets the rest.
 */
export interface BonusTerms {
  /** Exchange rate: base units of the reward token for one whole USDC; zero if no bonus is paid. */
  tokenPerUsdc: bigint
  bonusBps: number
  workerSplitBps: number
}

/**
 * The bonus terms that were locked when a worker was assigned. `price` is the gross amount that the worker can be paid.
 */
export interface BonusLock extends BonusTerms {
  price: bigint
}

/** Limits that make it unprofitable to create tasks only for their bonus. */
export interface BonusBounds {
  /** Maximum value of an award's bonus, in basis points of the award's platform fee. */
  maxBonusPerFeeBps: number
  /**
   * Maximum of the exchange rate for a locked bonus, in basis points of the current rate. If the rate that was locked
   * at the assignment is higher, the bonus is computed with the maximum. Example: 20_000 allows at most twice the
   * current rate.
   */
  maxRateDriftBps: number
}

/**
 * Maximum credits in one epoch, in base units of USDC or of the token. `globalUsd`, `globalTokens`: for all accounts
 * together. `workerUsd`, `requesterUsd`: for one account in this role. `taskUsd`: for one task.
 */
export interface BonusCaps {
  globalUsd: bigint
  workerUsd: bigint
  requesterUsd: bigint
  taskUsd: bigint
  globalTokens: bigint
}

/**
 * Multipliers of a bonus by the age of the wallet, in basis points. The first multiplier applies from age 0. The second
 * to fourth apply from the ages in `afterSeconds`.
 */
export interface BonusRamp {
  afterSeconds: readonly [number, number, number]
  multiplierBps: readonly [number, number, number, number]
}

/** The bonus contract's record of one account. */
export interface BonusAccount {
  /** Time at which the programme first recorded the account, Unix seconds. */
  firstSeen: bigint
  /** The epoch to which `workerUsd` and `requesterUsd` belong. */
  epoch: number
  workerUsd: bigint
  requesterUsd: bigint
  claimable: bigint
}

/** A completed task, and the state of the bonus programme before the task's awards are credited. */
export interface BonusCompletion {
  requester: string
  /** The task's platform fee, basis points. */
  feeBps: number
  isContest: boolean
  terms: BonusTerms
  bounds: BonusBounds
  caps: BonusCaps
  ramp: BonusRamp
  /**
   * Bonus terms that were locked when the worker was assigned. Null for a contest, or if the programme did not record
   * the assignment.
   */
  lock: BonusLock | null
  /** Time of the completion, Unix seconds. */
  time: bigint
  epoch: number
  /**
   * Sums of all credits in `epoch` before this completion. `usdOfEpoch`: USDC base units. `tokensOfEpoch`: base units
   * of the token.
   */
  usdOfEpoch: bigint
  tokensOfEpoch: bigint
  /** Reward tokens that the programme holds and that are not credited to any account, base units. */
  reserve: bigint
}

/** One award of a completed task. `amount` is the gross amount, USDC base units. */
export interface BonusAward {
  worker: string
  amount: bigint
  rank: number
}

/**
 * The result for the worker or the requester of an award: the credit, or the reason why nothing was credited. If the
 * whole award earned nothing, there is one result with the role `award`.
 */
export type BonusOutcome =
  | { account: string; role: BonusRole; rank: number; skipped: SkipReason }
  | {
      account: string
      role: BonusRole
      rank: number
      skipped: null
      usdBonus: bigint
      usdCredited: bigint
      tokenPerUsdc: bigint
      share: bigint
      multiplierBps: number
      credited: bigint
    }

/**
 * Credits the bonuses of all awards of a completed task, in the order of the awards. The worker is credited before the
 * requester.
 *
 * Example: an award of 2_000_000n has a rate of 10 tokens for one USDC, a bonus of 750 basis points and a worker's
 * share of 8000 basis points. The worker is credited 1.2 tokens and the requester 0.3 tokens.
 * @param accounts the records of the requester and of every worker, by lower-case address; the function changes the
 * records
 * @returns the results in the order of the credits
 */
export function creditAwards(
  completion: BonusCompletion,
  awards: readonly BonusAward[],
  accounts: Map<string, BonusAccount>,
): BonusOutcome[] {
  const remainders = {
    taskUsd: completion.caps.taskUsd,
    usd: leftOf(completion.caps.globalUsd, completion.usdOfEpoch),
    tokens: leftOf(completion.caps.globalTokens, completion.tokensOfEpoch),
    reserve: completion.reserve,
  }
  return awards.flatMap((award) => {
    const bonus = valueOfAward(completion, award)
    if (typeof bonus === 'string') {
      return [{ account: award.worker, role: 'award' as const, rank: award.rank, skipped: bonus }]
    }
    return divide(completion, bonus, award).map((side) => creditSide(completion, side, { left: remainders, accounts }))
  })
}

/**
 * Returns the exchange rate at which a locked bonus is credited: the locked rate, but at most `maxRateDriftBps` of the
 * current rate.
 * Example: 20n for a locked rate of 30n, a current rate of 10n and a `maxRateDriftBps` of 20000.
 */
export function lockedRateOf(
  lock: Pick<BonusTerms, 'tokenPerUsdc'>,
  { terms, bounds }: { terms: Pick<BonusTerms, 'tokenPerUsdc'>; bounds: Pick<BonusBounds, 'maxRateDriftBps'> },
): bigint {
  return smaller(lock.tokenPerUsdc, partOf(terms.tokenPerUsdc, bounds.maxRateDriftBps))
}

/**
 * Returns the multiplier for a wallet's age in seconds, in basis points.
 * Example: if `afterSeconds` begins with 1209600 and `multiplierBps` with 0 and 2500, the result is 0 for an age of
 * 1209599n and 2500 for 1209600n.
 */
export function multiplierOf({ afterSeconds, multiplierBps }: BonusRamp, age: bigint): number {
  const [first, second, third] = afterSeconds
  if (age >= BigInt(third)) return multiplierBps[3]
  if (age >= BigInt(second)) return multiplierBps[2]
  if (age >= BigInt(first)) return multiplierBps[1]
  return multiplierBps[0]
}

/**
 * Returns the full value of an award's bonus in USDC base units, before `BonusBounds` and `BonusCaps` limit it.
 * Example: `bonusValueOf(2_000_000n, 750)` is 150_000n.
 */
export function bonusValueOf(amount: bigint, bonusBps: number): bigint {
  return partOf(amount, bonusBps)
}

/**
 * Converts a USDC value to reward tokens, both in base units. Example: `tokensOf(150_000n, 10n * 10n ** 18n)` is 1.5
 * tokens of 18 decimals.
 */
export function tokensOf(usd: bigint, tokenPerUsdc: bigint): bigint {
  return (usd * tokenPerUsdc) / USDC
}

interface Bonus {
  usd: bigint
  tokens: bigint
  tokenPerUsdc: bigint
}

interface Side extends Bonus {
  account: string
  role: BonusSide
  rank: number
  usdBonus: bigint
}

interface Left {
  taskUsd: bigint
  usd: bigint
  tokens: bigint
  reserve: bigint
}

/**
 * Returns the bonus of a whole award: the worker's and the requester's parts together. If the award earns no bonus,
 * returns the reason (see `skipReasons`).
 */
function valueOfAward(completion: BonusCompletion, { worker, amount }: BonusAward): Bonus | SkipReason {
  const { terms, bounds, lock, isContest, requester, feeBps } = completion
  if (worker === requester) return 'self_award'
  if (!isContest && lock === null) return 'no_lock'
  const isLocked = !isContest && lock !== null
  const value = isLocked
    ? (bonusValueOf(lock.price, lock.bonusBps) * amount) / lock.price
    : bonusValueOf(amount, terms.bonusBps)
  const tokenPerUsdc = isLocked ? lockedRateOf(lock, { terms, bounds }) : terms.tokenPerUsdc
  if (tokenPerUsdc === 0n) return 'no_rate'
  if (value === 0n) return 'too_small'
  const usdBound = partOf(partOf(amount, feeBps), bounds.maxBonusPerFeeBps)
  if (usdBound === 0n) return 'fee_bound'
  const usd = smaller(value, usdBound)
  const tokens = tokensOf(usd, tokenPerUsdc)
  return tokens === 0n ? 'too_small' : { usd, tokens, tokenPerUsdc }
}

/** Divides a bonus between worker and requester. The requester gets the remainder of the division. */
function divide(
  { isContest, terms, lock, requester }: BonusCompletion,
  { usd, tokens, tokenPerUsdc }: Bonus,
  { worker, rank }: BonusAward,
): [Side, Side] {
  const split = isContest || lock === null ? terms.workerSplitBps : lock.workerSplitBps
  const workerUsd = partOf(usd, split)
  const workerTokens = partOf(tokens, split)
  const commonFields = { rank, tokenPerUsdc, usdBonus: usd }
  return [
    { ...commonFields, account: worker, role: 'worker', usd: workerUsd, tokens: workerTokens },
    { ...commonFields, account: requester, role: 'requester', usd: usd - workerUsd, tokens: tokens - workerTokens },
  ]
}

function creditSide(
  completion: BonusCompletion,
  side: Side,
  { left, accounts }: { left: Left; accounts: Map<string, BonusAccount> },
): BonusOutcome {
  const account = accountAt(accounts, side.account, completion.epoch)
  const multiplierBps = multiplierOf(completion.ramp, completion.time - account.firstSeen)
  const { account: address, role, rank, tokenPerUsdc, usdBonus } = side
  const skip = (skipReason: SkipReason): BonusOutcome => ({ account: address, role, rank, skipped: skipReason })
  const fullShare = { usd: partOf(side.usd, multiplierBps), tokens: partOf(side.tokens, multiplierBps) }
  if (isNothing(fullShare)) return skip(multiplierBps === 0 ? 'wallet_age' : 'too_small')
  const { usd, tokens, cutBy } = cut(fullShare, {
    usd: leastOf(usdLimits(completion, { role, left, account })),
    tokens: leastOf(tokenLimits({ left, account })),
  })
  if (isNothing({ usd, tokens })) return skip(cutBy ?? 'too_small')
  if (role === 'worker') account.workerUsd += usd
  else account.requesterUsd += usd
  account.claimable += tokens
  left.taskUsd -= usd
  left.usd -= usd
  left.tokens -= tokens
  left.reserve -= tokens
  return {
    account: address,
    role,
    rank,
    skipped: null,
    usdBonus,
    usdCredited: usd,
    tokenPerUsdc,
    share: side.tokens,
    multiplierBps,
    credited: tokens,
  }
}

/**
 * Returns an account's record. If the record's sums belong to an earlier epoch, sets the sums to zero and the record's
 * epoch to `epoch`.
 * @throws if the account has no record; the programme records every participant before a task ends
 */
function accountAt(accounts: Map<string, BonusAccount>, address: string, epoch: number): BonusAccount {
  const account = accounts.get(address)
  if (account === undefined) throw new Error(`${address} was never seen`)
  if (account.epoch !== epoch) Object.assign(account, { epoch, workerUsd: 0n, requesterUsd: 0n })
  return account
}

/**
 * A maximum `most` of a USDC value or of an amount of tokens. If the maximum reduces a credit to zero, `cause` is the
 * reason that is reported.
 */
type Limit = { most: bigint; cause: SkipReason }

function usdLimits(
  { caps }: BonusCompletion,
  { role, left, account }: { role: Side['role']; left: Left; account: BonusAccount },
): [Limit, ...Limit[]] {
  const ofAccount =
    role === 'worker' ? leftOf(caps.workerUsd, account.workerUsd) : leftOf(caps.requesterUsd, account.requesterUsd)
  return [
    { most: ofAccount, cause: 'account_cap' },
    { most: left.taskUsd, cause: 'task_cap' },
    { most: left.usd, cause: 'global_cap' },
  ]
}

function tokenLimits({ left, account }: { left: Left; account: BonusAccount }): [Limit, ...Limit[]] {
  return [
    { most: left.tokens, cause: 'token_cap' },
    { most: smaller(left.reserve, LARGEST_CLAIM - account.claimable), cause: 'reserve' },
  ]
}

/**
 * Reduces one account's part of a bonus to the limit in USDC, and then to the limit in tokens. Each step reduces `usd`
 * and `tokens` by the same factor. The step for tokens rounds the reduced `usd` up, so that the caps never count too
 * little.
 */
function cut(
  fullShare: { usd: bigint; tokens: bigint },
  limits: { usd: Limit; tokens: Limit },
): { usd: bigint; tokens: bigint; cutBy: SkipReason | null } {
  let { usd, tokens } = fullShare
  let cutBy: SkipReason | null = null
  if (usd > limits.usd.most) {
    tokens = (tokens * limits.usd.most) / usd
    usd = limits.usd.most
    cutBy = limits.usd.cause
  }
  if (tokens > limits.tokens.most) {
    usd = (usd * limits.tokens.most + tokens - 1n) / tokens
    tokens = limits.tokens.most
    cutBy = limits.tokens.cause
  }
  return { usd, tokens, cutBy }
}

/** Returns the lowest limit; the first one if several are equal. */
function leastOf([first, ...others]: [Limit, ...Limit[]]): Limit {
  return others.reduce((leastLimit, limit) => (limit.most < leastLimit.most ? limit : leastLimit), first)
}

function isNothing({ usd, tokens }: { usd: bigint; tokens: bigint }): boolean {
  return usd === 0n || tokens === 0n
}

function leftOf(cap: bigint, used: bigint): bigint {
  return cap > used ? cap - used : 0n
}

/** Returns the smaller of two amounts. Example: `smaller(3n, 5n)` is 3n. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
