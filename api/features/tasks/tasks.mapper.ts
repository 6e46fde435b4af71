import { clockOf, clockPriceAt } from '../../../protocol/clock-price.ts'
import { netRewardOf } from '../../../protocol/net-reward.ts'
import { phaseOf } from '../../../protocol/phase.ts'
import { isContest } from '../../../protocol/rules/selectors.ts'
import type { Verdict } from '../../../protocol/rules/verdict.ts'
import { areBidsSealed } from '../../../protocol/sealed-bids.ts'
import { isSubmissionWindowOpen } from '../../../protocol/submission-window.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { actionRequestOf } from '../../domain/action-request.ts'
import { contestEvaluationEnd } from '../../domain/actions/evaluate.ts'
import { actorTypeOf } from '../../domain/actor-type.ts'
import { withoutHiddenWorkers } from '../../domain/hidden-workers.ts'
import type { PendingAction } from '../../domain/pending-action.ts'
import { listPendingActions } from '../../domain/pending-actions.ts'
import { rewardStateOf } from '../../domain/sponsored/reward-state.ts'
import { commonSubmissionRows } from '../../domain/visibility.ts'
import {
  toAddress,
  toAddressOrNull,
  toAmount,
  toAmountOrNull,
  toPublicKey,
  toTimestamp,
  toTimestampFromMs,
  toTimestampOrNull,
} from '../../http/response-schemas.ts'
import type { TaskRewardRow } from '../../read-model/task-rewards.ts'
import { toSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { toAccessFacts } from './access-facts.ts'
import type { BonusFields } from './bonus/task-bonus.ts'
import type { TaskRow } from './task-row.ts'
import type { AwardRow } from './tasks.queries.ts'
import type { Award, Task, TaskDetail } from './tasks.schemas.ts'

/**
 * The values that the public form of a task needs in addition to the task's row. `now` is the time of the latest block
 * in Unix seconds. `serviceName` is the name in the texts that wallets sign.
 */
export interface TaskView {
  now: bigint
  serviceName: string
}

/**
 * Returns the public form of tasks. The form is the same for every caller. It includes the actions that are possible at
 * the time `now` of the view.
 */
export function toTasks(rows: readonly TaskRow[], view: TaskView): Task[] {
  return rows.map((row) => {
    const task = withoutHiddenWorkers(toSnapshot(row), commonSubmissionRows(toAccessFacts(row)))
    return toTask(row, listPendingActions(task, view.now), view)
  })
}

/** Returns the public form of a task as lists contain it. */
export function toTask(row: TaskRow, pendingActions: readonly PendingAction[], { now, serviceName }: TaskView): Task {
  const worker = row.worker ?? row.primaryWorker
  // Not a copy of the row for each action: its eighty columns would be most of the cost of a page.
  const signedFacts = { id: row.id, claimRound: row.claimRound, serviceName }
  return {
    id: row.id,
    referenceCode: row.referenceCode,
    requester: toAddress(row.requester),
    requesterPubkey: row.requesterPublicKey && toPublicKey(row.requesterPublicKey),
    description: row.description ?? '',
    reward: toAmount(row.reward),
    escrowTxHash: row.transactionHash,
    createdAt: toTimestampFromMs(row.createdAtMs),
    expiryTime: toTimestamp(row.expiryTime),
    status: row.status,
    tags: row.tags ?? [],
    mode: row.mode,
    taskVisibility: row.taskVisibility,
    submissionVisibility: row.submissionVisibility ?? 'public',
    hasAccessPassword: row.hasAccessPassword,
    stakeRequired: row.stakeBps > 0,
    stakeBps: row.stakeBps,
    pitchDeadline: toTimestampOrNull(row.pitchDeadline),
    bidDeadline: toTimestampOrNull(row.bidDeadline),
    metricDescription: row.metricDescription,
    metricTarget: row.metricTarget,
    claimedBy: toAddressOrNull(row.worker),
    claimedAt: toTimestampOrNull(row.workerAssignedAt),
    platformFeeBps: row.platformFeeBps,
    submissionCount: row.submissionCount,
    pitchCount: row.pitchCount,
    awardCount: row.awardCount,
    primaryAward: row.primaryWorker && { workerAddress: toAddress(row.primaryWorker), rating: row.primaryRating },
    requesterAgentId: row.requesterAgentId?.toString() ?? null,
    workerAgentId: row.workerAgentId?.toString() ?? null,
    requesterActorType: actorTypeOf(row.requesterAgentId),
    ...(worker !== null && { workerActorType: actorTypeOf(row.workerAgentId) }),
    ...auctionFields(row, now),
    ...hookFields(row),
    ...evaluationFields(row),
    ...dropFields(row),
    ...rewardFields(row),
    submissionWindowOpen: isSubmissionWindowOpen(row, now),
    phase: phaseOf(row, now),
    netReward: toAmountOrNull(netRewardOf(row)),
    pendingActions: pendingActions.map((action) => toPendingAction(action, signedFacts)),
    selfAward: row.selfAward,
  }
}

/** Returns the full public form of a task: the form in lists, with the settled awards and the bonus. */
export function toTaskDetail(
  task: Task,
  row: TaskRow,
  { awards, bonus }: { awards: readonly AwardRow[]; bonus: BonusFields },
): TaskDetail {
  return {
    ...task,
    awards: awards.map(toAward),
    ...bonus,
    claimRound: row.claimRound,
    termsHash: termsHashOf(row),
    agreedPrice: row.mode === 'auction' ? toAmountOrNull(row.price) : null,
    resolution: toResolution(row),
  }
}

/**
 * Returns the decision of the dispute resolver. Returns null if there is no decision or the decision pays no worker.
 * The verdict fields of the task keep the evaluator's verdict.
 */
function toResolution({ resolution, resolvedBy, resolvedAt }: TaskRow): TaskDetail['resolution'] {
  if (resolution === null || resolution === 'reject' || resolvedBy === null || resolvedAt === null) return null
  return {
    verdict: verdictTypes[resolution],
    resolver: toAddress(resolvedBy),
    resolvedAt: toTimestamp(resolvedAt),
  }
}

function toAward(row: AwardRow): Award {
  return {
    workerAddress: toAddress(row.worker),
    workerAgentId: row.agentId?.toString() ?? null,
    workerActorType: actorTypeOf(row.agentId),
    rank: row.rank,
    isPrimary: row.rank === 1,
    grossAmount: toAmount(row.grossAmount),
    workerPayment: toAmount(row.workerPayment),
    platformFee: toAmount(row.platformFee),
    settlementTxHash: row.transactionHash,
    settledAt: toTimestamp(row.settledAt),
    rating: row.rating,
  }
}

/** Returns the public form of a pending action, with the HTTP request that performs the action. */
export function toPendingAction(
  action: PendingAction,
  task: Parameters<typeof actionRequestOf>[1],
): Task['pendingActions'][number] {
  return {
    role: action.role,
    action: action.action,
    command: action.command,
    eligibleAddress: toAddressOrNull(action.eligibleAddress),
    requiresPayment: action.requiresPayment,
    paymentAmount: toAmountOrNull(action.paymentAmount),
    availableAfter: toTimestampOrNull(action.availableAfter),
    availableUntil: toTimestampOrNull(action.availableUntil),
    targetWorker: toAddressOrNull(action.targetWorker),
    request: actionRequestOf(action.action, task),
  }
}

/** Returns the public fields about a task's auction. All these fields are null in every mode except `auction`. */
function auctionFields(row: TaskRow, now: bigint) {
  const isAuction = row.mode === 'auction'
  return {
    maxPrice: isAuction ? toAmount(row.reward) : null,
    auctionType: row.auctionType,
    auctionStartPrice: row.auctionType === 'reverse_dutch' ? toAmountOrNull(row.clockPrice) : null,
    auctionFloorPrice: row.auctionType === 'dutch' ? toAmountOrNull(row.clockPrice) : null,
    currentAuctionPrice: toAmountOrNull(clockPriceOf(row, now)),
    currentLowestBid: areBidsSealed(row, now) ? null : toAmountOrNull(row.lowestBid),
    auctionBidCount: isAuction ? row.bidderCount : null,
    auctionPriceReachesFloorAt: row.auctionType === 'dutch' ? toTimestampOrNull(row.bidDeadline) : null,
    auctionPriceReachesMaxAt: row.auctionType === 'reverse_dutch' ? toTimestampOrNull(row.bidDeadline) : null,
  }
}

/** Returns the present clock price of an open dutch or reverse dutch auction, or null. */
function clockPriceOf(row: TaskRow, now: bigint) {
  const clock = row.status === 'open' ? clockOf(row) : null
  return clock && clockPriceAt(clock, now)
}

/**
 * Returns the fields about the hooks. One field lists all hooks in order. If the requester chose exactly one hook,
 * `hookContract` is this hook, else null. See the interface specification, "Tasks".
 */
function hookFields({ hooks, defaultHookCount }: TaskRow) {
  const all = (hooks ?? []).map(toAddress)
  const [customHook, ...others] = all.slice(defaultHookCount ?? 0)
  return { hookContract: customHook !== undefined && others.length === 0 ? customHook : null, hooks: all }
}

/**
 * Returns the fields about the evaluator. If the task has an evaluator, `evaluatorStake` is 0, because evaluators
 * deposit nothing. In an open contest, `evaluatorDeadline` is the end of the evaluation window, which begins at the
 * task's expiry.
 */
function evaluationFields(row: TaskRow) {
  return {
    evaluator: toAddressOrNull(row.evaluator),
    evaluatorStake: row.evaluator && toAmount(0n),
    evaluatorFeeBps: row.evaluatorFeeBps,
    evaluationWindow: row.evaluationWindow === null ? null : Number(row.evaluationWindow),
    appealWindow: row.appealWindow === null ? null : Number(row.appealWindow),
    disputeResolver: toAddressOrNull(row.disputeResolver),
    appealDeadline: toTimestampOrNull(row.appealDeadline),
    evaluatorDeadline: toTimestampOrNull(evaluatorDeadlineOf(row)),
    verdictType: row.verdict && verdictTypes[row.verdict],
    verdictScore: row.verdictScore,
    verdictConfidence: row.verdictConfidence,
    verdictEvidenceHash: row.verdictEvidenceHash,
  }
}

function evaluatorDeadlineOf(row: TaskRow): bigint | null {
  const isAwaited = row.evaluator !== null && row.status === 'open' && isContest(row.mode)
  return isAwaited ? contestEvaluationEnd(row) : row.evaluatorDeadline
}

const verdictTypes = { approve: 'APPROVE', reject: 'REJECT', partial: 'PARTIAL' } as const satisfies Record<
  Verdict,
  string
>

/** Returns the fields about the task drop. They may be shown to every caller who may see the task. */
function dropFields({ dropId, dropName }: TaskRow) {
  return { taskDropId: dropId, taskDrop: dropId === null || dropName === null ? null : { id: dropId, name: dropName } }
}

/** Returns the rewards of vaults. The field is absent if there are none, as the interface specification requires. */
function rewardFields({ rewards }: TaskRow): Pick<Task, 'sponsoredTaskRewards'> {
  return rewards === null ? {} : { sponsoredTaskRewards: rewards.map(toReward) }
}

function toReward(row: TaskRewardRow): NonNullable<Task['sponsoredTaskRewards']>[number] {
  return {
    vaultId: row.vaultId,
    tokenAddress: toAddress(row.token),
    tokenSymbol: row.tokenSymbol,
    tokenDecimals: row.tokenDecimals,
    grossAmount: row.gross,
    netAmount: row.net,
    state: rewardStateOf({ ...row, credited: BigInt(row.credited), paid: BigInt(row.paid) }),
    curationStatus: row.curationStatus,
  }
}
