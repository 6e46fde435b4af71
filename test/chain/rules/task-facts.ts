import { type ContractFunctionReturnType, type Hex, zeroAddress } from 'viem'
import type { taskMarketAbi } from '../../../abis/task-market.ts'
import { toTaskMode } from '../../../src/rules/selectors.ts'
import { toTaskStatus } from '../../../src/rules/task-status.ts'

type Task = ContractFunctionReturnType<typeof taskMarketAbi, 'view', 'getTask'>

/** What `getTask` alone says of a task without auction, pitches and hooks, as the rules see it. */
export function taskFactsOf(id: Hex, task: Task) {
  return {
    id,
    mode: toTaskMode(task.mode),
    auctionType: null,
    status: toTaskStatus(task.status),
    reward: task.reward,
    escrow: task.escrow,
    platformFeeBps: task.feeBps,
    contentHash: task.contentHash,
    createdAt: BigInt(task.createdAt),
    expiryTime: BigInt(task.expiryTime),
    pitchDeadline: null,
    bidDeadline: null,
    clockPrice: null,
    stakeBps: task.stakeBps,
    hookSet: null,
    claimRound: task.round,
    objected: task.objected,
    price: task.worker === zeroAddress ? null : task.price,
    lowestBid: null,
    lowestBidder: null,
    pitchCount: task.pitchCount,
    bidCount: task.bidCount,
    solePitch: null,
    evaluatorDeadline: null,
    appealDeadline: null,
    resolutionDeadline: null,
    verdict: null,
    verdictAwarded: [],
    taskVisibility: 'public' as const,
    participants: [],
    viewers: [],
    submissionCount: task.submissionCount,
    activeSubmissionCount: task.activeSubmissions,
  }
}
