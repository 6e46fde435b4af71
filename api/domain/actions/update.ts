import { isBiddingType, taskModes } from '../../../protocol/rules/selectors.ts'
import { ACTION_FEE, MAX_DURATION_SECONDS, MAX_REWARD, MIN_REWARD } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, always, requesterOnly } from './action-rule.ts'

/**
 * The new terms that a request sets for a task. A term does not change if its field is absent. Amounts are in base
 * units of USDC, times in Unix seconds.
 */
export interface UpdateArgs {
  reward?: bigint | undefined
  expiryTime?: bigint | undefined
  pitchDeadline?: bigint | undefined
  bidDeadline?: bigint | undefined
  auctionFloorPrice?: bigint | undefined
  auctionStartPrice?: bigint | undefined
  /** True if the request changes any text of the task. */
  textsChange: boolean
}

type Term = Exclude<keyof UpdateArgs, 'textsChange'>

/**
 * The terms that only some kinds of tasks have. `kind`: the mode or the auction type of the tasks that have the term.
 * `present`: returns the current value of the term in a task, or null if the task does not have the term.
 */
const ownTerms = {
  pitchDeadline: { kind: 'pitch', present: (task) => task.pitchDeadline },
  bidDeadline: { kind: 'auction', present: (task) => task.bidDeadline },
  auctionFloorPrice: { kind: 'dutch', present: (task) => task.clockPrice },
  auctionStartPrice: { kind: 'reverse_dutch', present: (task) => task.clockPrice },
} as const satisfies Partial<Record<Term, { kind: string; present(task: TaskSnapshot): bigint | null }>>

type OwnTerm = keyof typeof ownTerms
type Deadline = 'expiryTime' | 'pitchDeadline' | 'bidDeadline'

/**
 * The rule by which the requester changes the terms of an open task. The reward may be increased and a deadline
 * extended at any time. The reward may be decreased and a deadline shortened only before the first submission or pitch.
 * An auction with a bid cannot be changed. If a new expiry is before the pitch or bid deadline, the request must also
 * change that deadline. See the interface specification, "Other rules".
 */
export const updateOpen: ActionRule<UpdateArgs> = {
  action: 'update',
  modes: taskModes,
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: always,
  // The refusal omits the number of bids: a count of sealed bids is for their bidders alone.
  blocked: ({ bidCount }) =>
    bidCount > 0 ? refuse(409, 'terms_locked', 'A worker has bid: the auction cannot be changed any more.') : null,
  check: (task, { args, actor, now }) =>
    checkForeignTerms(task, args) ??
    checkReward(task, args) ??
    checkClockPrice(task, args) ??
    checkDeadline(task, now, { field: 'expiryTime', present: task.expiryTime, next: args.expiryTime }) ??
    checkEntryDeadline(task, { args, now }) ??
    // An unproven caller must not learn by trial if a private task has these texts.
    (actor === null && task.taskVisibility === 'private' ? null : checkChange(task, args)),
  offeredAs: ({ id }) => [{ command: `task update ${id} --<field> <value>` }],
}

function checkForeignTerms(task: TaskSnapshot, args: UpdateArgs): Refusal | null {
  for (const [field, { kind }] of Object.entries(ownTerms)) {
    if (args[field as OwnTerm] === undefined || kind === task.mode || kind === task.auctionType) continue
    const article = kind === 'auction' ? 'an' : 'a'
    return refuse(400, 'wrong_mode', `${field} is a term of ${article} ${kind} task only, not of this one.`, { field })
  }
  return null
}

function checkReward(task: TaskSnapshot, { reward = task.reward }: UpdateArgs): Refusal | null {
  if (reward < MIN_REWARD || reward > MAX_REWARD) {
    return refuse(400, 'invalid_reward', `The reward must be ${MIN_REWARD} to ${MAX_REWARD} base units.`, {
      field: 'reward',
    })
  }
  if (reward < task.reward && hasEntries(task)) return termsLocked('reward', 'lowered')
  if (reward > task.reward && task.entriesPaused) {
    return refuse(409, 'market_paused', 'The market takes no more money for now.', { field: 'reward' })
  }
  return null
}

/** Refuses a floor or start price of a clock auction that is below 1 base unit or above the reward. */
function checkClockPrice(task: TaskSnapshot, args: UpdateArgs): Refusal | null {
  const newPrice = args.auctionFloorPrice ?? args.auctionStartPrice
  const price = newPrice ?? task.clockPrice
  const reward = args.reward ?? task.reward
  if (price === null || (price > 0n && price <= reward)) return null
  const field = newPrice === undefined ? 'reward' : nameOfClockPrice(task)
  const rule = `The ${nameOfClockPrice(task)} must be 1 to ${reward} base units, the reward; it would be ${price}.`
  return refuse(400, 'invalid_price', rule, { field })
}

function nameOfClockPrice({ auctionType }: TaskSnapshot): OwnTerm {
  return auctionType === 'dutch' ? 'auctionFloorPrice' : 'auctionStartPrice'
}

/**
 * Refuses a changed deadline that is in the past, or more than ten years ahead. After the first submission or pitch,
 * also refuses a deadline that is earlier than the present deadline.
 */
function checkDeadline(
  task: TaskSnapshot,
  now: bigint,
  { field, present, next = present }: { field: Deadline; present: bigint; next?: bigint | undefined },
): Refusal | null {
  if (next === present) return null
  if (next <= now || next > now + MAX_DURATION_SECONDS) {
    const failure = field === 'expiryTime' ? 'invalid_expiry' : 'invalid_deadline'
    const rule = `The ${field} must lie after ${now} (Unix seconds, the time of the chain), at most ten years.`
    return refuse(400, failure, rule, { field })
  }
  return next < present && hasEntries(task) ? termsLocked(field, 'brought forward') : null
}

/**
 * Refuses a pitch or bid deadline that does not fit the expiry. A pitch deadline, and the bid deadline of a clock
 * auction (whose price changes with time), must not be after the expiry. In an auction that takes bids, the bid
 * deadline must be before the expiry, because the selection of the winner needs time.
 */
function checkEntryDeadline(task: TaskSnapshot, { args, now }: { args: UpdateArgs; now: bigint }): Refusal | null {
  const field = task.mode === 'pitch' ? 'pitchDeadline' : 'bidDeadline'
  const presentTerm = ownTerms[field].present(task)
  if (presentTerm === null) return null
  const refusal = checkDeadline(task, now, { field, present: presentTerm, next: args[field] })
  if (refusal !== null) return refusal
  const next = args[field] ?? presentTerm
  const expiry = args.expiryTime ?? task.expiryTime
  const isBidding = isBiddingType(task.auctionType)
  if (isBidding ? next < expiry : next <= expiry) return null
  const rule = isBidding ? 'must lie before the expiry' : 'must not lie after the expiry'
  const message = `The ${field} (${next}) ${rule} (${expiry}); give both to move both.`
  return refuse(400, 'deadline_after_expiry', message, { field: args[field] === undefined ? 'expiryTime' : field })
}

/**
 * Returns true if the task has a submission or a pitch. Bids are not needed here, because `blocked` refuses every
 * change after a bid.
 */
function hasEntries({ submissionCount, pitchCount }: TaskSnapshot): boolean {
  return submissionCount + pitchCount > 0
}

function termsLocked(field: string, change: string): Refusal {
  return refuse(409, 'terms_locked', `A worker has entered: the ${field} cannot be ${change} any more.`, { field })
}

function checkChange(task: TaskSnapshot, args: UpdateArgs): Refusal | null {
  const { reward, expiryTime, textsChange } = args
  if (textsChange || isOther(reward, task.reward) || isOther(expiryTime, task.expiryTime)) return null
  const changes = Object.entries(ownTerms).some(([field, { present }]) =>
    isOther(args[field as OwnTerm], present(task)),
  )
  return changes ? null : refuse(409, 'nothing_to_update', 'The task has these terms already.')
}

function isOther(next: bigint | undefined, presentTerm: bigint | null): boolean {
  return next !== undefined && next !== presentTerm
}
