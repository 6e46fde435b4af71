import { type components, partOf, splitFee, splitReward, verdictPayouts } from '../../client/src/index.ts'
import { usdcText } from '../words/amount.ts'

/** The fields of a task from which its payouts are computed. */
type PaidTask = Pick<
  components['schemas']['TaskDetail'],
  | 'mode'
  | 'status'
  | 'reward'
  | 'agreedPrice'
  | 'platformFeeBps'
  | 'evaluatorFeeBps'
  | 'netReward'
  | 'currentLowestBid'
  | 'claimedBy'
  | 'stakeBps'
>

/** A row of a payment sheet: a label and a value. Example: `['Worker receives', '37.00 USDC']`. */
export type PayoutRow = readonly [label: string, value: string]

/**
 * A worker whom a decision pays. `part`: basis points if the requester splits the reward; base units of USDC for a
 * verdict.
 */
export interface PaidWorker {
  name: string
  part: bigint
}

/** Returns the amount in escrow, in base units of USDC. After an auction, the amount is the agreed price. */
function escrowOf({ reward, agreedPrice }: PaidTask): bigint {
  return BigInt(agreedPrice ?? reward)
}

/**
 * Returns the maximum sum of the awards that an evaluator can grant, in base units of USDC: the escrow minus the
 * evaluator's fee.
 */
export function mostAwarded(task: PaidTask): bigint {
  return verdictPayouts('reject', [], { ...feesOf(task), base: escrowOf(task) }).returned
}

/**
 * Returns the payment sheet's rows for an acceptance that pays one worker. An acceptance pays no fee to an evaluator.
 */
export function acceptanceRows(task: PaidTask): PayoutRow[] {
  const { netReward } = task
  if (netReward === null) return []
  return [
    ['Worker receives, out of escrow', inUsdc(netReward)],
    [platformFee(task), inUsdc(escrowOf(task) - BigInt(netReward))],
  ]
}

/**
 * Returns the payment sheet's rows for a split of the reward: one row for each winner, in the order of `winners`, and
 * the platform fee.
 */
export function splitRows(task: PaidTask, winners: readonly PaidWorker[]): PayoutRow[] {
  const shares = winners.map(({ part }) => Number(part))
  const grosses = splitReward(BigInt(task.reward), shares)
  const splits = grosses.map((gross) => splitFee(gross, task.platformFeeBps))
  return [
    ...receipts(winners, splits),
    [platformFee(task), inUsdc(splits.reduce((sum, { platformFee: fee }) => sum + fee, 0n))],
  ]
}

/** Returns the rows of the payment sheet that show the payouts of a decision by an evaluator or a dispute resolver. */
export function verdictRows(
  task: PaidTask,
  verdict: 'approve' | 'partial' | 'reject',
  winners: readonly PaidWorker[],
): PayoutRow[] {
  const amounts = verdict === 'reject' ? [] : winners.map(({ part }) => part)
  const { evaluatorFee, awards, returned } = verdictPayouts(verdict, amounts, {
    ...feesOf(task),
    base: escrowOf(task),
  })
  const paidWinners = winners.length > 0 ? winners : [{ name: 'Worker', part: 0n }]
  const fees = awards.reduce((sum, award) => sum + award.platformFee, 0n)
  return [
    ...receipts(paidWinners, awards),
    ...(awards.length > 0 ? [[platformFee(task), inUsdc(fees)] as const] : []),
    // The verdict pays the fee, before any dispute.
    ...(evaluatorFee > 0n && task.status !== 'disputed' ? [['Evaluator’s fee', inUsdc(evaluatorFee)] as const] : []),
    ...(returned > 0n ? [['Back to the requester', inUsdc(returned)] as const] : []),
  ]
}

/** Returns the payment sheet's row for the refund when a task ends without an award. */
export function refundRows(task: PaidTask): PayoutRow[] {
  return [['Back to the requester, out of escrow', inUsdc(escrowOf(task))]]
}

/**
 * Returns the payment sheet's rows for a settlement that another account starts because the requester did not act. In
 * status `pending_approval` or `review`, the worker is paid. In any other status, the requester gets a refund.
 */
export function staleRows(task: PaidTask): PayoutRow[] {
  if (task.status !== 'pending_approval' && task.status !== 'review') return refundRows(task)
  const { platformFee: fee, workerPayment } = splitFee(escrowOf(task), task.platformFeeBps)
  return [
    ['Worker receives, out of escrow', inUsdc(workerPayment)],
    [platformFee(task), inUsdc(fee)],
  ]
}

/**
 * Returns the payment sheet's row for the amount that leaves the escrow, if `next` is a lower reward (base units of
 * USDC). Returns no row for an equal or higher reward.
 */
export function decreaseRows({ reward }: Pick<PaidTask, 'reward'>, next: bigint): PayoutRow[] {
  const decrease = BigInt(reward) - next
  return decrease > 0n ? [['Back to you, out of escrow', inUsdc(decrease)]] : []
}

/**
 * Returns the payment sheet's row for the refund when a rejection takes effect. The evaluator's fee was already paid at
 * the verdict.
 */
export function rejectionRows(task: PaidTask): PayoutRow[] {
  return [['Back to the requester, out of escrow', inUsdc(mostAwarded(task))]]
}

/**
 * Returns the payment sheet's row for a claim's stake. The stake goes back to a worker who delivered; otherwise the
 * platform receives the stake.
 */
export function stakeRows({ mode, claimedBy, reward, stakeBps }: PaidTask, isDelivered: boolean): PayoutRow[] {
  const stake = mode === 'claim' && claimedBy !== null ? partOf(BigInt(reward), stakeBps) : 0n
  if (stake === 0n) return []
  return [[isDelivered ? 'Stake back to the worker' : 'Stake of the worker, to the platform', inUsdc(stake)]]
}

/**
 * Returns the payment sheet's rows for a bid: the price, and the amount that the worker would receive.
 * @param price price of the bid, in base units of USDC
 */
export function bidRows(task: PaidTask, price: bigint): PayoutRow[] {
  const [award] = verdictPayouts('approve', [], { ...feesOf(task), base: price }).awards
  return [
    ['You ask', inUsdc(price)],
    ['You would receive', inUsdc(award?.workerPayment ?? 0n)],
  ]
}

/**
 * Returns the payment sheet's rows for a worker who accepts the current price of a clock auction.
 * @param price current price, in base units of USDC
 */
export function clockRows(task: PaidTask, price: bigint): PayoutRow[] {
  const [[, ask], ...others] = bidRows(task, price) as [PayoutRow, ...PayoutRow[]]
  return [['Price now', ask], ...others]
}

/**
 * Returns the payment sheet's rows for the selection of the lowest bid: the bid, and the part of the escrow that is
 * returned.
 */
export function selectionRows({ reward, currentLowestBid }: PaidTask): PayoutRow[] {
  if (currentLowestBid === null) return []
  return [
    ['Lowest bid', inUsdc(currentLowestBid)],
    ['Back to the requester, out of escrow', inUsdc(BigInt(reward) - BigInt(currentLowestBid))],
  ]
}

/**
 * Returns the payment sheet's row for the evaluator's fee; no row if the fee is zero. The fee is paid out of the reward
 * at the verdict.
 */
export function evaluatorFeeRows({ reward }: Pick<PaidTask, 'reward'>, evaluatorFeeBps: number): PayoutRow[] {
  const { evaluatorFee } = verdictPayouts('reject', [], { base: BigInt(reward), evaluatorFeeBps, platformFeeBps: 0 })
  return evaluatorFee === 0n ? [] : [['Evaluator’s fee', inUsdc(evaluatorFee)]]
}

/**
 * Returns the payment sheet's rows for a new task whose whole reward is paid to one worker. If an evaluator is named,
 * the evaluator's fee is deducted first.
 * @param reward reward, in base units of USDC
 */
export function creationRows(reward: bigint, fees: { platformFeeBps: number; evaluatorFeeBps: number }): PayoutRow[] {
  const netReward = reward - partOf(reward, fees.evaluatorFeeBps)
  const { platformFee: fee, workerPayment } = splitFee(netReward, fees.platformFeeBps)
  return [
    ['Worker receives', inUsdc(workerPayment)],
    [platformFee(fees), inUsdc(fee)],
    ...evaluatorFeeRows({ reward: reward.toString() }, fees.evaluatorFeeBps),
  ]
}

function receipts(
  workers: readonly PaidWorker[],
  awards: readonly { workerPayment: bigint }[],
): (readonly [string, string])[] {
  return awards.map(({ workerPayment }, index) => [`${workers[index]?.name} receives`, inUsdc(workerPayment)])
}

function feesOf({ evaluatorFeeBps, platformFeeBps }: PaidTask) {
  return { evaluatorFeeBps: evaluatorFeeBps ?? 0, platformFeeBps }
}

function platformFee({ platformFeeBps }: Pick<PaidTask, 'platformFeeBps'>): string {
  return `Platform fee ${platformFeeBps / 100} %`
}

function inUsdc(units: bigint | string): string {
  return `${usdcText(units)} USDC`
}
