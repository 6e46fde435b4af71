import type { Address, Hex } from 'viem'
import type { ClaimStatus } from '../../../protocol/rules/claim-status.ts'
import { toClaimId, toPitchId, toProofId, toSubmissionId } from '../../../protocol/rules/row-ids.ts'
import { toSelectionKind } from '../../../protocol/rules/selection.ts'
import { isContest, type TaskMode, type unknownName } from '../../../protocol/rules/selectors.ts'
import { toTaskStatus } from '../../../protocol/rules/task-status.ts'
import { findPrimaryWorker, toVerdict, type Verdict } from '../../../protocol/rules/verdict.ts'
import type { TaskLog } from './read-chain.ts'

/**
 * The place of a log on the chain: the transaction `txHash` that emitted the log, and the block's time `at` in Unix
 * seconds.
 */
interface Place {
  txHash: Hex
  at: bigint
}
export interface SubmissionOnChain extends Place {
  worker: Address
  deliverable: Hex
  rejectedAt: bigint | null
}
export interface PitchOnChain extends Place {
  worker: Address
  hash: Hex
}
export interface BidOnChain extends Place {
  worker: Address
  price: bigint
}
export interface ProofOnChain extends Place {
  worker: Address
  hash: Hex
  type: Hex
  metricValue: bigint
}
export interface ClaimOnChain extends Place {
  id: Hex
  worker: Address
  stake: bigint
  status: ClaimStatus
}
export interface RatingOnChain extends Place {
  rating: number
  hash: Hex
}
export interface AwardOnChain extends Place {
  worker: Address
  rank: number
  gross: bigint
  payment: bigint
  fee: bigint
}

/**
 * The history of a task, computed from the task's logs. The history contains facts that the market's view functions do
 * not return.
 */
export interface TaskHistory {
  /** The facts in the log of the task's creation; null if the log is missing. */
  created: (Place & { tags: readonly Hex[]; listed: boolean; contentHash: Hex }) | null
  contentHash: Hex | null
  round: number
  submissions: Map<Hex, SubmissionOnChain>
  pitches: Map<Hex, PitchOnChain>
  /** The most recent bid of each worker. */
  bids: Map<Address, BidOnChain>
  proofs: Map<Hex, ProofOnChain>
  claim: ClaimOnChain | null
  awards: AwardOnChain[]
  ratings: Map<Address, RatingOnChain>
  selfAward: boolean | null
  assigned: { worker: Address; at: bigint } | null
  price: bigint | null
  /**
   * The terms of the evaluator who was assigned last. Null: there is no evaluator, or the evaluator's deadline was
   * enforced.
   */
  evaluation: { feeBps: number; evaluationWindow: number; appealWindow: number } | null
  /** The current evaluator; null if the task has none, or after the evaluator's deadline was enforced. */
  evaluator: Address | null
  /** The current dispute resolver; null if the task has none, or after the evaluator's deadline was enforced. */
  resolver: Address | null
  evaluatorDeadline: bigint | null
  appealDeadline: bigint | null
  verdict: { verdict: Verdict; score: number; confidence: number; evidenceHash: Hex } | null
  resolution: { verdict: Verdict; resolver: Address; at: bigint } | null
}

/** Builds the history of a task from the task's logs, in the order of the logs. */
export function readHistory(
  logs: readonly TaskLog[],
  { taskId, mode }: { taskId: Hex; mode: TaskMode | typeof unknownName },
): TaskHistory {
  const history = emptyHistory()
  for (const log of logs) apply(history, log, { taskId, mode })
  return history
}

function emptyHistory(): TaskHistory {
  return {
    created: null,
    contentHash: null,
    round: 0,
    submissions: new Map(),
    pitches: new Map(),
    bids: new Map(),
    proofs: new Map(),
    claim: null,
    awards: [],
    ratings: new Map(),
    selfAward: null,
    assigned: null,
    price: null,
    evaluation: null,
    evaluator: null,
    resolver: null,
    evaluatorDeadline: null,
    appealDeadline: null,
    verdict: null,
    resolution: null,
  }
}

const lower = <Text extends string>(text: Text) => text.toLowerCase() as Text
const ZERO = /^0x0*$/

function apply(
  history: TaskHistory,
  { eventName, args, block, txHash }: TaskLog,
  { taskId, mode }: { taskId: Hex; mode: TaskMode | typeof unknownName },
): void {
  const place = { txHash, at: block.time }
  const decide = (awards: readonly { worker: Address; rank: number }[]) => {
    if (!isContest(mode)) return
    const worker = findPrimaryWorker(awards)
    history.assigned = worker && { worker: lower(worker), at: block.time }
  }
  switch (eventName) {
    case 'TaskCreated': {
      const { tags, listed, contentHash } = args.terms
      history.created = { ...place, tags, listed, contentHash }
      history.contentHash = contentHash
      return
    }
    case 'TaskUpdated':
      history.contentHash = args.contentHash
      return
    case 'TaskWorkerSelected': {
      const worker = lower(args.worker)
      history.assigned = { worker, at: block.time }
      history.price = args.price
      if (toSelectionKind(args.kind) !== 'claim') return
      const id = toClaimId(taskId, { worker, round: history.round })
      history.claim = { ...place, id, worker, stake: args.stake, status: 'active' }
      return
    }
    case 'TaskReopened':
      history.round = args.round
      history.assigned = null
      history.price = null
      if (history.claim !== null) history.claim.status = 'forfeited'
      return
    case 'TaskSubmitted': {
      const { deliverable } = args
      const worker = lower(args.worker)
      history.submissions.set(toSubmissionId(taskId, { worker, deliverable }), {
        ...place,
        worker,
        deliverable,
        rejectedAt: null,
      })
      if (history.claim !== null) history.claim.status = 'submitted'
      const after = toTaskStatus(args.status)
      if (after !== 'open') history.evaluatorDeadline = after === 'review' ? BigInt(args.phaseDeadline) : null
      return
    }
    case 'SubmissionRejected':
      for (const submission of history.submissions.values()) {
        if (submission.worker === lower(args.worker)) submission.rejectedAt = block.time
      }
      return
    case 'PitchSubmitted': {
      const [worker, hash] = [lower(args.worker), args.pitchHash]
      const id = toPitchId(taskId, { worker, pitchHash: hash })
      if (!history.pitches.has(id)) history.pitches.set(id, { ...place, worker, hash })
      return
    }
    case 'BidSubmitted':
      history.bids.set(lower(args.worker), { ...place, worker: lower(args.worker), price: args.price })
      return
    case 'ProofSubmitted': {
      const [worker, hash] = [lower(args.worker), args.proofHash]
      const { proofType: type, metricValue } = args
      history.proofs.set(toProofId(taskId, { worker, proofHash: hash }), { ...place, worker, hash, type, metricValue })
      return
    }
    case 'StakeReturned':
      if (history.claim !== null) history.claim.status = 'returned'
      return
    case 'TaskCancelled':
    case 'TaskExpired':
      if (history.claim?.status === 'active') history.claim.status = 'forfeited'
      return
    case 'TaskCompleted': {
      const { rank, grossAmount: gross, workerPayment: payment, platformFee: fee, selfAward } = args
      history.awards.push({ ...place, worker: lower(args.worker), rank, gross, payment, fee })
      history.selfAward = selfAward || history.selfAward === true
      return
    }
    case 'TaskRated':
      history.ratings.set(lower(args.worker), { ...place, rating: args.rating, hash: args.feedbackHash })
      return
    case 'EvaluatorAssigned': {
      const { feeBps, evaluationWindow, appealWindow, resolver } = args
      history.evaluation = { feeBps, evaluationWindow, appealWindow }
      history.evaluator = lower(args.evaluator)
      history.resolver = ZERO.test(resolver) ? null : lower(resolver)
      return
    }
    case 'EvaluatorTimedOut':
      history.evaluation = null
      history.evaluator = null
      history.resolver = null
      history.evaluatorDeadline = null
      return
    case 'VerdictIssued': {
      const { score, confidence, evidenceHash } = args
      history.verdict = { verdict: toVerdict(args.verdict), score, confidence, evidenceHash }
      history.appealDeadline = BigInt(args.appealDeadline)
      decide(args.awards)
      return
    }
    case 'DisputeResolved':
      history.resolution = { verdict: toVerdict(args.verdict), resolver: lower(args.resolver), at: block.time }
      decide(args.awards)
      return
    default:
      // Other logs do not affect an answer.
      return
  }
}
