import type { Address } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { AwardFacts, EntryFacts, TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { toAddressOrNull } from '../../../src/rules/nullable-address.ts'
import { toTaskMode } from '../../../src/rules/selectors.ts'
import { toTaskStatus } from '../../../src/rules/task-status.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Bounty } from './bounties.ts'

/** A bounty as the rules see it, made from the contract's own views. */
export async function readSnapshot(
  { client, deployment }: MarketChain,
  { id, requester, deliverables }: Bounty,
): Promise<TaskSnapshot> {
  const market = { address: deployment.market, abi: taskMarketAbi } as const
  const task = await client.readContract({ ...market, functionName: 'getTask', args: [id] })
  const entries = new Map<Address, EntryFacts>()
  const awards: AwardFacts[] = []
  for (const [worker, committed] of deliverables) {
    const entry = await client.readContract({ ...market, functionName: 'entryOf', args: [id, worker] })
    entries.set(worker, {
      submissionCount: entry.submissions,
      activeSubmissionCount: entry.active,
      rejected: entry.rejected,
      latestDeliverable: committed.at(-1) ?? null,
    })
    if (entry.awarded) awards.push({ worker, rated: entry.rated })
  }
  const active = [...entries].filter(([, { activeSubmissionCount }]) => activeSubmissionCount > 0)
  return {
    id,
    requester,
    mode: toTaskMode(task.mode),
    auctionType: null,
    status: toTaskStatus(task.status),
    reward: task.reward,
    platformFeeBps: task.feeBps,
    contentHash: task.contentHash,
    createdAt: BigInt(task.createdAt),
    expiryTime: BigInt(task.expiryTime),
    pitchDeadline: null,
    bidDeadline: null,
    clockPrice: null,
    stakeBps: task.stakeBps,
    tagHashes: [],
    hookSet: null,
    worker: (toAddressOrNull(task.worker)?.toLowerCase() as Address | undefined) ?? null,
    claimRound: task.round,
    objected: task.objected,
    submissionCount: task.submissionCount,
    activeSubmissionCount: task.activeSubmissions,
    soleActiveWorker: active.length === 1 ? (active[0]?.[0] ?? null) : null,
    evaluator: null,
    disputeResolver: null,
    evaluatorFeeBps: null,
    evaluationWindow: null,
    appealWindow: null,
    awards,
    entries,
    entriesPaused: await client.readContract({ ...market, functionName: 'paused' }),
  }
}
