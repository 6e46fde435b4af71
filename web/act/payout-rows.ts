import { type components, partOf, splitFee, splitReward, verdictPayouts } from '../../client/src/index.ts'
import { usdcText } from '../words/amount.ts'

/** The fields of a task that its payouts are computed from. */
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

/** A line of a payment sheet. Example: `['Worker receives', '37.00 USDC']`. */
export type PayoutRow = readonly [label: string, value: string]

/** A worker who is paid by a decision. `part`: basis points of a split, base units of a verdict. */
export interface PaidWorker {
  name: string
  part: bigint
}

/** The amount in escrow, base units. An auction with a worker has its price in escrow, because the remainder was returned. */
function escrowOf({ reward, agreedPrice }: PaidTask): bigint {
  return BigInt(agreedPrice ?? reward)
}

/** The highest sum of an evaluator's awards, base units: the escrow without the evaluator's fee. */
export function mostAwarded(task: PaidTask): bigint {
  return verdictPayouts('reject', [], { ...feesOf(task), base: escrowOf(task) }).returned
}

/** The lines of an acceptance that pays one worker. An acceptance pays no evaluator. */
export function acceptanceRows(task: PaidTask): PayoutRow[] {
  const { netReward } = task
  if (netReward === null) return []
  return [
    ['Worker receives, out of escrow', inUsdc(netReward)],
    [platformFee(task), inUsdc(escrowOf(task) - BigInt(netReward))],
  ]
}

/** The lines of a split, one line per winner, in the order of the winners. */
export function splitRows(task: PaidTask, winners: readonly PaidWorker[]): PayoutRow[] {
  const shares = winners.map(({ part }) => Number(part))
  const grosses = splitReward(BigInt(task.reward), shares)
  const paid = grosses.map((gross) => splitFee(gross, task.platformFeeBps))
  return [
    ...receipts(winners, paid),
    [platformFee(task), inUsdc(paid.reduce((sum, { platformFee: fee }) => sum + fee, 0n))],
  ]
}

/** The lines of a decision of an evaluator or of a dispute resolver. */
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
  const paid = winners.length > 0 ? winners : [{ name: 'Worker', part: 0n }]
  const fees = awards.reduce((sum, award) => sum + award.platformFee, 0n)
  return [
    ...receipts(paid, awards),
    ...(awards.length > 0 ? [[platformFee(task), inUsdc(fees)] as const] : []),
    // The verdict pays the fee, before any dispute.
    ...(evaluatorFee > 0n && task.status !== 'disputed' ? [['Evaluator’s fee', inUsdc(evaluatorFee)] as const] : []),
    ...(returned > 0n ? [['Back to the requester', inUsdc(returned)] as const] : []),
  ]
}

/** The line of an ending without an award. */
export function refundRows(task: PaidTask): PayoutRow[] {
  return [['Back to the requester, out of escrow', inUsdc(escrowOf(task))]]
}

/** The lines of a settlement without the requester. It refunds contests and tasks without a delivery. */
export function staleRows(task: PaidTask): PayoutRow[] {
  if (task.status !== 'pending_approval' && task.status !== 'review') return refundRows(task)
  const { platformFee: fee, workerPayment } = splitFee(escrowOf(task), task.platformFeeBps)
  return [
    ['Worker receives, out of escrow', inUsdc(workerPayment)],
    [platformFee(task), inUsdc(fee)],
  ]
}

/** The line of a change of the reward that takes money out of escrow. */
export function decreaseRows({ reward }: Pick<PaidTask, 'reward'>, next: bigint): PayoutRow[] {
  const less = BigInt(reward) - next
  return less > 0n ? [['Back to you, out of escrow', inUsdc(less)]] : []
}

/** The line of a rejection that takes effect. The verdict has paid the evaluator's fee. */
export function rejectionRows(task: PaidTask): PayoutRow[] {
  return [['Back to the requester, out of escrow', inUsdc(mostAwarded(task))]]
}

/** The line of the stake of a claim. It returns to a worker who delivered; otherwise the platform receives it. */
export function stakeRows({ mode, claimedBy, reward, stakeBps }: PaidTask, isDelivered: boolean): PayoutRow[] {
  const stake = mode === 'claim' && claimedBy !== null ? partOf(BigInt(reward), stakeBps) : 0n
  if (stake === 0n) return []
  return [[isDelivered ? 'Stake back to the worker' : 'Stake of the worker, to the platform', inUsdc(stake)]]
}

/** The lines of a bid. */
export function bidRows(task: PaidTask, price: bigint): PayoutRow[] {
  const [award] = verdictPayouts('approve', [], { ...feesOf(task), base: price }).awards
  return [
    ['You ask', inUsdc(price)],
    ['You would receive', inUsdc(award?.workerPayment ?? 0n)],
  ]
}

/** The lines of a clock auction that a worker accepts at the current price. */
export function clockRows(task: PaidTask, price: bigint): PayoutRow[] {
  const [[, ask], ...others] = bidRows(task, price) as [PayoutRow, ...PayoutRow[]]
  return [['Price now', ask], ...others]
}

/** The lines of a selection of the lowest bid: the bid, and the part of the escrow that is returned. */
export function selectionRows({ reward, currentLowestBid }: PaidTask): PayoutRow[] {
  if (currentLowestBid === null) return []
  return [
    ['Lowest bid', inUsdc(currentLowestBid)],
    ['Back to the requester, out of escrow', inUsdc(BigInt(reward) - BigInt(currentLowestBid))],
  ]
}

/** The line of an evaluator's fee, which its verdict pays out of the reward. */
export function evaluatorFeeRows({ reward }: Pick<PaidTask, 'reward'>, evaluatorFeeBps: number): PayoutRow[] {
  const { evaluatorFee } = verdictPayouts('reject', [], { base: BigInt(reward), evaluatorFeeBps, platformFeeBps: 0 })
  return evaluatorFee === 0n ? [] : [['Evaluator’s fee', inUsdc(evaluatorFee)]]
}

/** The lines of a new task that is paid in full. A named evaluator receives its fee first. */
export function creationRows(reward: bigint, fees: { platformFeeBps: number; evaluatorFeeBps: number }): PayoutRow[] {
  const left = reward - partOf(reward, fees.evaluatorFeeBps)
  const { platformFee: fee, workerPayment } = splitFee(left, fees.platformFeeBps)
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
