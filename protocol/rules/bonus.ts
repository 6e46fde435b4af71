/**
 * Rewards of awards in the reward token: the rules of `BonusRules.sol`, to the base unit. Amounts of USDC and of the token are
 * base units, rates are base units of the token for one USDC, factors basis points. Divisions round down except where they say
 * otherwise.
 */

import { partOf } from './amounts.ts'

/** Base units of one USDC. */
const USDC = 1_000_000n
/** Largest claimable amount that the contract stores. */
const LARGEST_CLAIM = 2n ** 112n - 1n

/** Roles of a bonus, in the order of the contract's enum. */
export const bonusRoles = ['award', 'worker', 'requester'] as const
export type BonusRole = (typeof bonusRoles)[number]
/** The two sides of an award, in the order in which they are credited. */
export const bonusSides = ['worker', 'requester'] as const
export type BonusSide = (typeof bonusSides)[number]

/** Reasons why an award, or one side of it, earned nothing: the contract's `SkipReason`, in its order. */
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

/** Rate, size and division of bonuses. */
export interface BonusTerms {
  /** Base units of the token for one USDC; zero: no bonus. */
  tokenPerUsdc: bigint
  bonusBps: number
  workerSplitBps: number
}

/** The terms of a task's assignment, and the price that they are for. */
export interface BonusLock extends BonusTerms {
  price: bigint
}

/** Bounds that keep a bonus from paying for itself. */
export interface BonusBounds {
  /** Most of an award's platform fee that its bonus may be worth. */
  maxBonusPerFeeBps: number
  /** Most of the present rate that a locked rate counts. */
  maxRateDriftBps: number
}

/** The most that one epoch credits: `workerUsd` and `requesterUsd` to one account in that role, `taskUsd` for one task. */
export interface BonusCaps {
  globalUsd: bigint
  workerUsd: bigint
  requesterUsd: bigint
  taskUsd: bigint
  globalTokens: bigint
}

/** Multipliers by age: from each age in seconds on the next one applies. */
export interface BonusRamp {
  afterSeconds: readonly [number, number, number]
  multiplierBps: readonly [number, number, number, number]
}

/** The record of one account. */
export interface BonusAccount {
  /** Unix seconds of its first interaction. */
  firstSeen: bigint
  /** Epoch of the two sums. */
  epoch: number
  workerUsd: bigint
  requesterUsd: bigint
  claimable: bigint
}

/** A completed task, and the state of the programme before it. */
export interface BonusCompletion {
  requester: string
  /** The task's platform fee. */
  feeBps: number
  isContest: boolean
  terms: BonusTerms
  bounds: BonusBounds
  caps: BonusCaps
  ramp: BonusRamp
  /** Lock of a task with one assigned worker; null: its assignment was not recorded. */
  lock: BonusLock | null
  /** Unix seconds of the completion. */
  time: bigint
  epoch: number
  /** Value that this epoch credited so far. */
  usdOfEpoch: bigint
  tokensOfEpoch: bigint
  /** Tokens that are not claimable yet. */
  reserve: bigint
}

/** One award of a completed task; `amount` is gross. */
export interface BonusAward {
  worker: string
  amount: bigint
  rank: number
}

/** The outcome of an award, or of one side of it. */
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
 * Credits every award of a completed task, in order, the worker of each before the requester.
 *
 * Example: an award of 2_000_000n at 10 tokens for a USDC, with 750 bonus basis points and a split of 8000, credits 1.2 tokens to
 * the worker and 0.3 to the requester.
 * @param accounts by address, lower case; changed. Each worker and the requester must be there
 */
export function creditAwards(
  completion: BonusCompletion,
  awards: readonly BonusAward[],
  accounts: Map<string, BonusAccount>,
): BonusOutcome[] {
  const left = {
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
    return divide(completion, bonus, award).map((side) => creditSide(completion, side, { left, accounts }))
  })
}

/**
 * Returns the rate at which a locked bonus is credited under the present terms: the locked one, bounded by the present one.
 * Example: a locked rate of 30n with a present one of 10n and a drift of 20000 basis points is 20n.
 */
export function lockedRateOf(
  lock: Pick<BonusTerms, 'tokenPerUsdc'>,
  { terms, bounds }: { terms: Pick<BonusTerms, 'tokenPerUsdc'>; bounds: Pick<BonusBounds, 'maxRateDriftBps'> },
): bigint {
  return smaller(lock.tokenPerUsdc, partOf(terms.tokenPerUsdc, bounds.maxRateDriftBps))
}

/**
 * Returns the multiplier of a wallet's age in seconds.
 * Example: with ages from 1209600 on and multipliers 0, 2500, ... it is 0 at 1209599n and 2500 at 1209600n.
 */
export function multiplierOf({ afterSeconds, multiplierBps }: BonusRamp, age: bigint): number {
  const [first, second, third] = afterSeconds
  if (age >= BigInt(third)) return multiplierBps[3]
  if (age >= BigInt(second)) return multiplierBps[2]
  if (age >= BigInt(first)) return multiplierBps[1]
  return multiplierBps[0]
}

/** Returns the USDC value of an amount's bonus, before any bound. Example: `bonusValueOf(2_000_000n, 750)` is 150_000n. */
export function bonusValueOf(amount: bigint, bonusBps: number): bigint {
  return partOf(amount, bonusBps)
}

/** Returns the tokens for a USDC value. Example: `tokensOf(150_000n, 10n * 10n ** 18n)` is 1.5 tokens of 18 decimals. */
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

/** Returns the bonus of an award before it is divided, or the reason why there is none. */
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
  const bound = partOf(partOf(amount, feeBps), bounds.maxBonusPerFeeBps)
  if (bound === 0n) return 'fee_bound'
  const usd = smaller(value, bound)
  const tokens = tokensOf(usd, tokenPerUsdc)
  return tokens === 0n ? 'too_small' : { usd, tokens, tokenPerUsdc }
}

/** Divides a bonus; the requester gets the remainder. */
function divide(
  { isContest, terms, lock, requester }: BonusCompletion,
  { usd, tokens, tokenPerUsdc }: Bonus,
  { worker, rank }: BonusAward,
): [Side, Side] {
  const split = isContest || lock === null ? terms.workerSplitBps : lock.workerSplitBps
  const workerUsd = partOf(usd, split)
  const workerTokens = partOf(tokens, split)
  const common = { rank, tokenPerUsdc, usdBonus: usd }
  return [
    { ...common, account: worker, role: 'worker', usd: workerUsd, tokens: workerTokens },
    { ...common, account: requester, role: 'requester', usd: usd - workerUsd, tokens: tokens - workerTokens },
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
  const skip = (skipped: SkipReason): BonusOutcome => ({ account: address, role, rank, skipped })
  const full = { usd: partOf(side.usd, multiplierBps), tokens: partOf(side.tokens, multiplierBps) }
  if (isNothing(full)) return skip(multiplierBps === 0 ? 'wallet_age' : 'too_small')
  const { usd, tokens, cutBy } = cut(full, {
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
 * Returns the account with the sums of this epoch.
 * @throws when it is unknown: a participant of a task is recorded before its end
 */
function accountAt(accounts: Map<string, BonusAccount>, address: string, epoch: number): BonusAccount {
  const account = accounts.get(address)
  if (account === undefined) throw new Error(`${address} was never seen`)
  if (account.epoch !== epoch) Object.assign(account, { epoch, workerUsd: 0n, requesterUsd: 0n })
  return account
}

/** A limit of one amount, and the reason when it leaves nothing. */
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
 * Cuts a bonus to the least of the limits of each unit, once; the other unit follows in proportion. USDC that follow
 * tokens are rounded up: what counts against the caps is never below what is credited.
 */
function cut(
  full: { usd: bigint; tokens: bigint },
  limits: { usd: Limit; tokens: Limit },
): { usd: bigint; tokens: bigint; cutBy: SkipReason | null } {
  let { usd, tokens } = full
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

/** Returns the first of the least limits. */
function leastOf([first, ...others]: [Limit, ...Limit[]]): Limit {
  return others.reduce((least, limit) => (limit.most < least.most ? limit : least), first)
}

function isNothing({ usd, tokens }: { usd: bigint; tokens: bigint }): boolean {
  return usd === 0n || tokens === 0n
}

function leftOf(cap: bigint, used: bigint): bigint {
  return cap > used ? cap - used : 0n
}

/** Returns the lesser of two amounts. Example: `smaller(3n, 5n)` is 3n. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
