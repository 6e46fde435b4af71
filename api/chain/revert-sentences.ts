import type { ContractErrorArgs, ContractErrorName, Hex } from 'viem'
import type { errorsAbi } from '../../abis/errors.ts'
import { taskStatuses } from '../../protocol/rules/task-status.ts'
import { describeVetoReason } from './veto-reason.ts'

/**
 * The functions of the ERC-8195 hook ABI by selector. The XOR of all selectors is the ERC-165 interface id of the ABI.
 */
export const hookFunctions: ReadonlyMap<Hex, string> = new Map([
  ['0x97942309', 'checkFund'],
  ['0xac63e52c', 'checkClaim'],
  ['0x03e71b04', 'checkSelectWorker'],
  ['0xb65065f4', 'checkSubmit'],
  ['0xde54572a', 'checkEvaluate'],
  ['0xa781010a', 'checkComplete'],
  ['0x8b42bc91', 'onComplete'],
  ['0xe1ef65a9', 'onForfeit'],
  ['0xa55e8383', 'onCancel'],
  ['0x19e10090', 'onExpire'],
])

type ErrorName = ContractErrorName<typeof errorsAbi>
type Sentences = {
  [Name in ErrorName]?: (...args: Extract<ContractErrorArgs<typeof errorsAbi, Name>, readonly unknown[]>) => string
}

/**
 * The clauses that explain the contracts' errors to callers. Statuses are shown by name, times in ISO 8601, amounts in
 * base units. A clause has no full stop. An error without an entry is shown in its original form.
 */
const sentences: Sentences = {
  ActiveSubmissionsExist: (count) => `the task has ${count} active submissions`,
  ActorRequired: () => 'the call needs an account to act for',
  AlreadyObjected: () => 'the requester objected to this delivery already',
  AlreadyRated: (worker) => `${worker} is rated for this task already`,
  AmountTooLarge: (amount, maximum) => `${amount} base units are more than the ${maximum} a task may hold`,
  AuthorizationNotUsed: () => 'the payment’s authorization has not been settled',
  AuthorizationSpent: () => 'the payment was spent on another call or given back',
  AwardsExceedEscrow: (sum, escrowAmount) => `the awards sum to ${sum} base units, ${escrowAmount} are there`,
  AwardsNotAllowed: () => 'this verdict takes no awards',
  BidLimitReached: (maximum) => `the task has ${maximum} bids: only a bid below the lowest one is taken`,
  BidNotLower: (price, lowestPrice) => `the bid of ${price} base units must be below ${lowestPrice}`,
  BidsExist: () => 'a worker has bid',
  BidTooLow: (price, minimum) => `the bid of ${price} base units is below the smallest one, ${minimum}`,
  BidTooHigh: (price, maximum) => `the bid of ${price} base units is above the highest price, ${maximum}`,
  CannotEnter: (actor) => `${actor} may not enter this task`,
  ContestStillOpen: (expiryTime) =>
    `the contest is open until ${isoOf(expiryTime)}: before, only an approval that awards all that can be paid is taken`,
  DeadlineNotReached: (deadline) => `it is too early: this can be done from ${isoOf(deadline)} on`,
  DeadlinePassed: (deadline) => `it is too late: this could be done before ${isoOf(deadline)}`,
  DuplicateHook: (hook) => `the hook ${hook} is named twice`,
  DuplicateSubmission: () => 'this very deliverable was submitted already',
  DuplicateWinner: (worker) => `${worker} is named twice among the winners`,
  EntriesPaused: () => 'the market takes no new tasks, entries or money for now',
  EscrowExceedsPayment: (escrow, value) => `the escrow of ${escrow} base units is more than the payment of ${value}`,
  EscrowMismatch: (sentAmount, takenAmount) =>
    `the call took ${takenAmount} base units of the ${sentAmount} it was sent`,
  EvaluatorAlreadyAssigned: (evaluator) => `the task has an evaluator already, ${evaluator}`,
  EvaluatorDecides: (evaluator) => `the evaluator ${evaluator} decides on this task`,
  FeeAboveMaximum: (fee, maximum) => `the fee of ${fee} base units is above the largest one, ${maximum}`,
  FeeTooHigh: (feeBps, maximum) => `the fee of ${feeBps} basis points is above ${maximum}`,
  HookDataTooLong: (length, maximum) => `the hook data has ${length} bytes, at most ${maximum} are taken`,
  HookVetoed: (hook, step, reason) =>
    `the hook ${hook} refused in ${hookFunctions.get(step) ?? step} ${describeVetoReason(reason)}`,
  IntentAlreadyRelayed: () => 'another call was relayed under this write’s number',
  InvalidActorSignature: (actor) => `the signature is not ${actor}’s over this action`,
  InvalidAuthorizationSignature: (payer) => `the payment’s signature is not ${payer}’s`,
  InvalidDeadline: (deadline) => `${isoOf(deadline)} is no possible deadline of this task`,
  InvalidDuration: (duration) => `a task cannot last ${duration} seconds`,
  InvalidEvaluator: (evaluator) => `${evaluator} cannot evaluate or resolve this task`,
  InvalidHook: (hook) => `${hook} is no hook`,
  InvalidPrice: (price) => `${price} base units is no possible price of this task`,
  InvalidRank: (rank) => `${rank} is no possible rank of an award`,
  InvalidRating: (rating) => `${rating} is no rating from 0 to 100`,
  InvalidScore: (score, maximum) => `the score of ${score} is above ${maximum}`,
  InvalidShares: (sum) => `the shares sum to ${sum} basis points, they must sum to 10000`,
  InvalidStake: (stakeBps) => `a stake of ${stakeBps} basis points is not possible for this task`,
  InvalidSuffix: (suffix) => `the signed message must not end in "${suffix}" for this task as it is`,
  InvalidSwitchSignature: (wallet) => `the signature is not ${wallet}’s over this switch`,
  InvalidTerms: () => 'the terms do not fit the task’s mode',
  InvalidVerdict: () => 'this verdict is not possible here',
  InvalidWindow: (window) => `a window of ${window} seconds is not possible`,
  NoActiveSubmission: (worker) => `${worker} has no active submission to this task`,
  NoBids: () => 'the task has no bids',
  NoCredit: (account) => `${account} has nothing to withdraw`,
  NoEvaluator: () => 'the task has no evaluator',
  NoPitch: (worker) => `${worker} made no pitch to this task`,
  NoResolver: () => 'the task has no dispute resolver',
  NotAgentOwner: (agentId, actor) => `the agent ${agentId} does not belong to ${actor}`,
  NotAppellant: (actor) => `${actor} may not appeal this verdict`,
  NotAwarded: (worker) => `${worker} has no award of this task`,
  NotEnoughGas: (requiredGas) => `the call was given less gas than the ${requiredGas} it needs`,
  NotEvaluator: (actor) => `${actor} is not the task’s evaluator`,
  NothingToEvaluate: () => 'nothing was submitted that could be evaluated',
  NothingToUpdate: () => 'the update changes nothing',
  NotRequester: (actor) => `${actor} is not the task’s requester`,
  NotResolver: (actor) => `${actor} is not the one to resolve this dispute`,
  NotSelectedWorker: (actor) => `${actor} is not the task’s worker`,
  NoWinners: () => 'no winner is named',
  NoWorkers: () => 'no worker is named',
  OwnAuction: (actor) => `${actor} cannot bid in its own auction, nor take its price`,
  PayerTakesBoundOnly: (payer) => `${payer} takes bound calls alone`,
  PaymentNotBound: () => 'the payment is bound to another call',
  PrepaidLimitReached: (remainingAmount, value) =>
    `the payment of ${value} base units is above the ${remainingAmount} of prepaid money that may move today`,
  PrepaidNotCovered: (prepaidAmount, value) =>
    `${prepaidAmount} base units lie in the forwarder, the payment is over ${value}`,
  PriceBelowMinimum: (price, minimum) => `the price is ${price} base units by now, below the accepted ${minimum}`,
  RefundAlreadyAnnounced: () => 'this refund is announced already',
  RefundNotAnnounced: () => 'this refund is not announced',
  RefundNotDue: (executableFrom) => `this refund can be executed from ${isoOf(executableFrom)} on`,
  RefundVoid: () => 'this refund is void: the relayer that announced it was dismissed',
  RegisteredBefore: (account) => `an agent was registered for ${account} before, and it gave that agent away`,
  RewardTooLow: (reward, minimum) => `the reward of ${reward} base units is below ${minimum}`,
  SelfRating: (actor) => `${actor} cannot rate itself`,
  SwitchExpired: (validBefore) => `the switch was valid before ${isoOf(validBefore)}`,
  TaskNotFound: (taskId) => `there is no task ${taskId}`,
  TaskTermsMismatch: () => 'the task’s terms are not those that this was made for',
  TermsLocked: () => 'the terms are fixed since a worker entered',
  TooManyHooks: (count, maximum) => `${count} hooks are more than the ${maximum} a task may have`,
  TooManyTags: (count, maximum) => `${count} tags are more than the ${maximum} a task may have`,
  TooManyWinners: (count, maximum) => `${count} winners are more than the ${maximum} a task may have`,
  UnknownDeliverable: (worker) => `${worker} submitted no such deliverable`,
  WorkerIsRejected: (worker) => `${worker} was rejected from this task`,
  WrongCounter: (nextCounter, namedCounter) =>
    `the switch names counter ${namedCounter}, the wallet’s next one is ${nextCounter}`,
  WrongMode: () => 'this is not possible in the task’s mode',
  WrongStatus: (status) => `this is not possible while the task is ${statusOf(status)}`,
  ZeroAward: (worker) => `the award of ${worker} is nothing`,
  ZeroDeliverable: () => 'the deliverable is empty',
  ZeroHash: () => 'the hash is zero',
}

/**
 * Returns the explanation of an error, followed by the error's name; null if the error has no explanation. Example:
 * `sentenceOf('ActorRequired', [])` returns `'the call needs an account to act for (ActorRequired)'`.
 */
export function sentenceOf(errorName: string, args: readonly unknown[]): string | null {
  if (!Object.hasOwn(sentences, errorName)) return null
  const sentence = sentences[errorName as ErrorName] as ((...args: readonly unknown[]) => string) | undefined
  return sentence === undefined ? null : `${sentence(...args)} (${errorName})`
}

function statusOf(status: number): string {
  return taskStatuses[status - 1] ?? `of status ${status}`
}

/** Returns a timestamp in ISO 8601. A number outside the range of dates is returned as a number. */
function isoOf(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString().replace('.000Z', 'Z')
}
