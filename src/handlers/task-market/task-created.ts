import { ponder } from 'ponder:registry'
import { nextCreatedAtMs } from '../../../protocol/rules/created-at.ts'
import { toModeTerms } from '../../../protocol/rules/mode-terms.ts'
import { toAuctionType, toTaskMode } from '../../../protocol/rules/selectors.ts'
import { updateAgent } from '../../store/agents.ts'
import { takeCollected } from '../../store/arrivals.ts'
import { positionOf } from '../../store/event-position.ts'
import { updateMarketStats } from '../../store/market.ts'
import { takeReferenceCode } from '../../store/reference-codes.ts'
import { recordCreation } from '../../store/tasks.ts'

ponder.on('TaskMarket:TaskCreated', async ({ event, context }) => {
  const { taskId, requester, mode: modeSelector, terms } = event.args
  const mode = toTaskMode(modeSelector)
  const auctionType = toAuctionType(terms.auctionType)
  const { pitchDeadline, bidDeadline, clockPrice } = toModeTerms({ mode, auctionType }, terms)

  const stats = await updateMarketStats(context.db, (row) => ({
    taskCount: row.taskCount + 1,
    totalRewards: row.totalRewards + terms.reward,
    listedTaskCount: row.listedTaskCount + (terms.listed ? 1 : 0),
    listedTotalRewards: row.listedTotalRewards + (terms.listed ? terms.reward : 0n),
    totalEscrow: row.totalEscrow + terms.reward,
    lastCreatedAtMs: nextCreatedAtMs(row.lastCreatedAtMs, event.block.timestamp),
  }))
  await updateAgent(context.db, requester, (row) => ({ tasksCreated: row.tasksCreated + 1 }))

  await takeCollected(context.db, event, terms.reward)
  const row = {
    id: taskId,
    referenceCode: await takeReferenceCode(context.db, 'task', taskId),
    requester,
    mode,
    status: 'open',
    reward: terms.reward,
    escrow: terms.reward,
    stake: 0n,
    platformFeeBps: terms.feeBps,
    stakeBps: terms.stakeBps,
    contentHash: terms.contentHash,
    createdContentHash: terms.contentHash,
    tagHashes: [...terms.tags],
    listed: terms.listed,
    nonce: terms.nonce,
    createdAtMs: stats.lastCreatedAtMs,
    createdAt: BigInt(terms.createdAt),
    expiryTime: BigInt(terms.expiryTime),
    auctionType,
    pitchDeadline,
    bidDeadline,
    clockPrice,
    worker: null,
    workerAssignedAt: null,
    price: null,
    deliverable: null,
    objected: false,
    lowestBid: null,
    lowestBidder: null,
    evaluator: null,
    disputeResolver: null,
    evaluatorDeadline: null,
    appealDeadline: null,
    resolutionDeadline: null,
    hookSet: null,
    hookDataHash: null,
    submissionCount: 0,
    activeSubmissionCount: 0,
    submitterCount: 0,
    pitchCount: 0,
    bidCount: 0,
    bidderCount: 0,
    proofCount: 0,
    awardCount: 0,
    primaryWorker: null,
    unratedAwards: 0,
    selfAward: null,
    claimRound: 0,
    endedAt: null,
    lastEntryId: null,
    ...positionOf(event),
  }
  await recordCreation(context.db, row, { event, name: 'TaskCreated', subject: requester, amount: terms.reward })
})
