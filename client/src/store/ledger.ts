import { MIN_REWARD } from '../../../protocol/prices.ts'
import { toUsdc } from '../payments/usdc-text.ts'
import type { Limits, TokenLimits } from './limits.ts'
import type { JournalEntry, SignedPayment, TokenAmount, WalletState } from './store.ts'

const UNITS_PER_USDC = 1_000_000n
const DAY_MS = 86_400_000
/** Retention of settled writes, longer than the 24 hours for which they count. */
const KEPT_MS = 2 * DAY_MS
/** Retention of a write that decided nothing and was not released. */
const UNRELEASED_MS = 30 * DAY_MS

/** Limits of a write. */
export interface Bounds {
  limits: Limits
  /** Maximum that writes may decide in 24 hours without a user, base units; null: a user decided this write. */
  unattendedLimit?: bigint | null
  /** Current time, milliseconds. */
  now: number
}

/** Checks a write's decisions against the limits and records them. `amount`: everything that the write decides, base units. */
export function countWrite(
  state: WalletState,
  entry: JournalEntry,
  { amount, ...bounds }: { amount: bigint } & Bounds,
): string | null {
  const { now } = bounds
  const before = BigInt(entry.counted)
  const problem = findExcess(state, entry, { amount, ...bounds })
  if (problem !== null) return problem
  if (amount > before) {
    entry.counted = amount.toString()
    addToTask(state, entry.taskId, amount - before)
  }
  entry.updatedAt = now
  return null
}

/** Removes the recorded decisions of a write that decided nothing. */
export function uncountWrite(state: WalletState, entry: JournalEntry): void {
  addToTask(state, entry.taskId, -BigInt(entry.counted))
  entry.counted = '0'
  delete entry.tokens
}

/** Assigns a created task's id to its creation. The creation's decisions count for this task from now on. */
export function assignTask(state: WalletState, entry: JournalEntry, taskId: string): void {
  if (entry.taskId === taskId) return
  entry.taskId = taskId
  addToTask(state, taskId, BigInt(entry.counted))
  if (entry.tokens !== undefined) taskRecord(state, taskId).tokens = entry.tokens
}

/** Records the reward that this wallet gave a task; the highest one counts. */
export function noteReward(state: WalletState, taskId: string, reward: bigint): void {
  const record = taskRecord(state, taskId)
  if (record.reward === null || BigInt(record.reward) < reward) record.reward = reward.toString()
}

/**
 * Lists writes that still count and decided nothing, by the journal: refused, done without a payment, or left by a process that
 * ended before it sent anything. Each counts until its authorization ends, which could still be used.
 * @param options `now`: milliseconds; `isAtWork`: reports whether a call works on the write
 */
export function listEnded(
  state: WalletState,
  { now, isAtWork }: { now: number; isAtWork: (entry: JournalEntry) => boolean },
): JournalEntry[] {
  return Object.values(state.entries).filter((entry) => {
    const isOver =
      entry.isUnpaid === true || entry.state === 'refused' || entry.state === 'failed' || entry.state === 'reserved'
    return isOver && entry.counted !== '0' && !isOutstanding(entry, now) && !isAtWork(entry)
  })
}

/** Reports whether an authorization of this write may still reach the chain. `now`: milliseconds. */
export function isOutstanding(entry: JournalEntry, now: number): boolean {
  const { unansweredUntil, runs } = entry
  const paid = paymentsOf(entry).map(({ validBefore }) => validBefore)
  const ends = [...paid, unansweredUntil, ...Object.values(runs).map((run) => run.unansweredUntil)]
  return Math.max(...ends.map((end) => end ?? 0)) * 1000 >= now
}

/** Lists the authorizations that were signed for a write. */
export function paymentsOf({ payment, earlierPayments = [] }: JournalEntry): SignedPayment[] {
  return payment === null ? earlierPayments : [...earlierPayments, payment]
}

/** Limits of tokens, and the write to check. */
export interface TokenBounds {
  tokenLimits: Readonly<Record<string, TokenLimits>>
  /** Current time, milliseconds. */
  now: number
  /** Key of the write itself, which counts once. */
  key?: string
}

/** Returns the exceeded limit as a clause; null: the write is within all limits. A token without a limit is always refused. */
export function findTokenExcess(
  { entries }: WalletState,
  amounts: readonly TokenAmount[],
  { tokenLimits, now, key }: TokenBounds,
): string | null {
  for (const { token, amount } of amounts) {
    const limits = tokenLimits[token]
    if (limits === undefined) return `the configuration has no limit for the token ${token}`
    if (BigInt(amount) > limits.perCall) return `its limit per call is ${limits.perCall}`
    const counting = Object.values(entries).filter((entry) => entry.key !== key && countsToday(entry, now))
    const today = counting.flatMap(({ tokens = [] }) => tokens).filter((counted) => counted.token === token)
    const sum = today.reduce((total, counted) => total + BigInt(counted.amount), BigInt(amount))
    if (sum > limits.perDay) return `its limit in 24 hours is ${limits.perDay}, and they would be ${sum}`
  }
  return null
}

/** Returns what the wallet's writes decided in the last 24 hours, base units. */
export function countedToday(state: WalletState, now: number): bigint {
  return sumOf(Object.values(state.entries), now)
}

/** Returns what writes without a user's decision decided in the last 24 hours, base units. */
export function unattendedToday(state: WalletState, now: number): bigint {
  return sumOf(
    Object.values(state.entries).filter(({ isUnattended }) => isUnattended === true),
    now,
  )
}

function sumOf(entries: readonly JournalEntry[], now: number): bigint {
  return entries.reduce((sum, entry) => (countsToday(entry, now) ? sum + BigInt(entry.counted) : sum), 0n)
}

function countsToday({ createdAt, updatedAt }: JournalEntry, now: number): boolean {
  return Math.max(createdAt, updatedAt) > now - DAY_MS
}

/**
 * Deletes settled writes of earlier days. Writes that decided nothing and still count for their task remain: the next write
 * releases them.
 */
export function prune(state: WalletState, now: number): void {
  for (const [key, { state: outcome, counted, updatedAt }] of Object.entries(state.entries)) {
    if (outcome === 'sent') continue
    const isUnreleased = outcome !== 'completed' && counted !== '0'
    if (updatedAt < now - (isUnreleased ? UNRELEASED_MS : KEPT_MS)) delete state.entries[key]
  }
}

function findExcess(
  state: WalletState,
  entry: JournalEntry,
  { amount, limits, unattendedLimit = null, now }: { amount: bigint } & Bounds,
): string | null {
  const more = amount - BigInt(entry.counted)
  if (amount > limits.perCall)
    return `This write decides ${toUsdc(amount)} USDC; the limit per call is ${toUsdc(limits.perCall)} USDC.${unitHint(amount, limits)}`
  // A write of an earlier day that is sent again counts for today too, because it may act today.
  const today = countedToday(state, now) + (more > 0n ? more : 0n)
  if (today > limits.perDay)
    return `The writes of 24 hours would decide ${toUsdc(today)} USDC; the limit is ${toUsdc(limits.perDay)} USDC.`
  if (unattendedLimit !== null && unattendedToday(state, now) + (more > 0n ? more : 0n) > unattendedLimit)
    return `Without a person, the writes of 24 hours may decide ${toUsdc(unattendedLimit)} USDC.`
  if (more <= 0n) return null
  const ofTask = (entry.taskId === null ? 0n : BigInt(state.tasks[entry.taskId]?.counted ?? '0')) + more
  if (ofTask > limits.perTask)
    return `This task’s writes would decide ${toUsdc(ofTask)} USDC; the limit is ${toUsdc(limits.perTask)} USDC.`
  return null
}

/**
 * Returns a hint when an amount looks like whole USDC in place of base units. Example: for 2000000 USDC, `2000000 base units are
 * 2 USDC`.
 */
function unitHint(amount: bigint, { perCall }: Limits): string {
  const units = amount / UNITS_PER_USDC
  if (amount % UNITS_PER_USDC !== 0n || units < MIN_REWARD || units > perCall) return ''
  return ` If base units were meant: ${units} base units are ${toUsdc(units)} USDC.`
}

function addToTask(state: WalletState, taskId: string | null, amount: bigint): void {
  if (taskId === null) return
  const record = taskRecord(state, taskId)
  record.counted = (BigInt(record.counted) + amount).toString()
}

function taskRecord(state: WalletState, taskId: string) {
  const known = state.tasks[taskId] ?? { counted: '0', reward: null }
  state.tasks[taskId] = known
  return known
}
