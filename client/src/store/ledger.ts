import { MIN_REWARD } from '../../../protocol/prices.ts'
import { toUsdc } from '../payments/usdc-text.ts'
import type { Limits, TokenLimits } from './limits.ts'
import type { JournalEntry, SignedPayment, TokenAmount, WalletState } from './store.ts'

const UNITS_PER_USDC = 1_000_000n
const DAY_MS = 86_400_000
/** The time in milliseconds for which the journal keeps settled writes. The daily limit needs a write for 24 hours. */
const KEPT_MS = 2 * DAY_MS
/**
 * The time in milliseconds for which the journal keeps a write that did not complete, but whose amount still counts
 * toward the limits. The amount counts until the client knows that no payment of the write can be used.
 */
const UNRELEASED_MS = 30 * DAY_MS

/** The limits against which a write is checked. */
export interface Bounds {
  limits: Limits
  /**
   * The maximum amount, in base units of USDC, that all writes of 24 hours together may commit or pay out if no user
   * has confirmed these writes. Null or absent if a user confirmed this write.
   */
  unattendedLimit?: bigint | null
  /** The current time, in Unix milliseconds. */
  now: number
}

/**
 * Records the amount of a write in the journal if the write is within the limits. Returns the exceeded limit as a
 * clause; null if the write was recorded.
 *
 * `amount`: the total of the write in base units of USDC. The total is the price of the write, plus any other amount
 * that the write commits or pays out.
 */
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

/** Removes the recorded amounts of a write that had no effect. The amounts then no longer count toward the limits. */
export function uncountWrite(state: WalletState, entry: JournalEntry): void {
  addToTask(state, entry.taskId, -BigInt(entry.counted))
  entry.counted = '0'
  delete entry.tokens
}

/**
 * Stores the id of a created task in the journal entry of its creation. From now on, the amount of the creation counts
 * toward the task's limit.
 */
export function assignTask(state: WalletState, entry: JournalEntry, taskId: string): void {
  if (entry.taskId === taskId) return
  entry.taskId = taskId
  addToTask(state, taskId, BigInt(entry.counted))
  if (entry.tokens !== undefined) taskRecord(state, taskId).tokens = entry.tokens
}

/** Records the reward that this wallet gave to a task. If a reward is already recorded, the higher reward is kept. */
export function noteReward(state: WalletState, taskId: string, reward: bigint): void {
  const record = taskRecord(state, taskId)
  if (record.reward === null || BigInt(record.reward) < reward) record.reward = reward.toString()
}

/**
 * Lists the writes without effect whose amounts still count toward the limits: refused, failed, unpaid or never sent.
 * Excludes writes whose authorization could still be used, and writes on which a client call is still working.
 * @param options `now` is the time in milliseconds; `isAtWork` reports whether a client call is still working on the
 * write
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

/**
 * Reports whether a signed authorization or an unanswered request of this write may still take effect. `now` is in
 * milliseconds.
 */
export function isOutstanding(entry: JournalEntry, now: number): boolean {
  const { unansweredUntil, runs } = entry
  const paymentEnds = paymentsOf(entry).map(({ validBefore }) => validBefore)
  const ends = [...paymentEnds, unansweredUntil, ...Object.values(runs).map((run) => run.unansweredUntil)]
  return Math.max(...ends.map((end) => end ?? 0)) * 1000 >= now
}

/** Lists all authorizations that the wallet has signed for a write. */
export function paymentsOf({ payment, earlierPayments = [] }: JournalEntry): SignedPayment[] {
  return payment === null ? earlierPayments : [...earlierPayments, payment]
}

/** The wallet's token limits, and the write that is checked against them. */
export interface TokenBounds {
  tokenLimits: Readonly<Record<string, TokenLimits>>
  /** The current time, in Unix milliseconds. */
  now: number
  /**
   * The key of the checked write. The sum excludes the journal entry with this key, so that the write does not count
   * twice.
   */
  key?: string
}

/**
 * Returns the exceeded token limit as a clause; null if the write is within all limits. A token without a configured
 * limit is always refused.
 */
export function findTokenExcess(
  { entries }: WalletState,
  amounts: readonly TokenAmount[],
  { tokenLimits, now, key }: TokenBounds,
): string | null {
  for (const { token, amount } of amounts) {
    const limits = tokenLimits[token]
    if (limits === undefined) return `the configuration has no limit for the token ${token}`
    if (BigInt(amount) > limits.perCall) return `its limit per call is ${limits.perCall}`
    const countedEntries = Object.values(entries).filter((entry) => entry.key !== key && countsToday(entry, now))
    const today = countedEntries
      .flatMap(({ tokens = [] }) => tokens)
      .filter((tokenAmount) => tokenAmount.token === token)
    const sum = today.reduce((total, tokenAmount) => total + BigInt(tokenAmount.amount), BigInt(amount))
    if (sum > limits.perDay) return `its limit in 24 hours is ${limits.perDay}, and they would be ${sum}`
  }
  return null
}

/** Returns the amount in base units of USDC that the wallet's writes committed or paid out in the last 24 hours. */
export function countedToday(state: WalletState, now: number): bigint {
  return sumOf(Object.values(state.entries), now)
}

/**
 * Returns the amount in base units of USDC that unconfirmed writes of the wallet committed or paid out in the last 24
 * hours. A write is unconfirmed if no user has confirmed the write.
 */
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
 * Deletes old writes from the journal, usually two days after the last change of the write. There are two exceptions.
 * If the outcome of a write is open (state `sent`), the write stays. If a write did not complete, but its amount still
 * counts toward the limits, the write is deleted after 30 days.
 */
export function prune(state: WalletState, now: number): void {
  // In these 30 days, a later write can find that no payment was used, and release the amount.
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
  const increase = amount - BigInt(entry.counted)
  if (amount > limits.perCall)
    return `This write decides ${toUsdc(amount)} USDC; the limit per call is ${toUsdc(limits.perCall)} USDC.${unitHint(amount, limits)}`
  // A write of an earlier day that is sent again counts for today too, because it may act today.
  const today = countedToday(state, now) + (increase > 0n ? increase : 0n)
  if (today > limits.perDay)
    return `The writes of 24 hours would decide ${toUsdc(today)} USDC; the limit is ${toUsdc(limits.perDay)} USDC.`
  if (unattendedLimit !== null && unattendedToday(state, now) + (increase > 0n ? increase : 0n) > unattendedLimit)
    return `Without a person, the writes of 24 hours may decide ${toUsdc(unattendedLimit)} USDC.`
  if (increase <= 0n) return null
  const ofTask = (entry.taskId === null ? 0n : BigInt(state.tasks[entry.taskId]?.counted ?? '0')) + increase
  if (ofTask > limits.perTask)
    return `This task’s writes would decide ${toUsdc(ofTask)} USDC; the limit is ${toUsdc(limits.perTask)} USDC.`
  return null
}

/**
 * Returns a hint if an amount looks like base units that were passed as whole USDC. For example, for 2000000 USDC the
 * hint says that `2000000 base units are 2 USDC`.
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
  const taskRecord = state.tasks[taskId] ?? { counted: '0', reward: null }
  state.tasks[taskId] = taskRecord
  return taskRecord
}
