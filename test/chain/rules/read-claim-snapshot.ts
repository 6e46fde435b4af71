import { type Address, zeroAddress, zeroHash } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { EntryFacts, TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { ClaimTask } from './claims.ts'
import { taskFactsOf } from './task-facts.ts'

/** A task of claim mode as the rules see it, made from the contract's own views. */
export async function readClaimSnapshot(
  { client, deployment }: MarketChain,
  { id, tags }: ClaimTask,
): Promise<TaskSnapshot> {
  const market = { address: deployment.market, abi: taskMarketAbi } as const
  const task = await client.readContract({ ...market, functionName: 'getTask', args: [id] })
  const terms = await client.readContract({ ...market, functionName: 'evaluationOf', args: [id] })
  const worker = orNull(task.worker)
  const entry = await client.readContract({ ...market, functionName: 'entryOf', args: [id, task.worker] })
  const entries = new Map<Address, EntryFacts>()
  if (worker !== null && task.deliverable !== zeroHash) {
    entries.set(worker, {
      submissionCount: entry.submissions,
      activeSubmissionCount: entry.active,
      rejected: entry.rejected,
      pitched: entry.pitched,
      bid: entry.bid === 0n ? null : entry.bid,
      latestDeliverable: task.deliverable,
    })
  }
  return {
    ...taskFactsOf(id, task),
    requester: lower(task.requester),
    tagHashes: tags,
    worker,
    soleActiveWorker: entries.size === 1 ? worker : null,
    evaluator: task.hasEvaluator ? lower(terms.evaluator) : null,
    disputeResolver: task.hasEvaluator ? orNull(terms.resolver) : null,
    evaluatorFeeBps: task.hasEvaluator ? terms.feeBps : null,
    evaluationWindow: task.hasEvaluator ? BigInt(terms.evaluationWindow) : null,
    appealWindow: task.hasEvaluator ? BigInt(terms.appealWindow) : null,
    awards: worker !== null && entry.awarded ? [{ worker, rated: entry.rated }] : [],
    entries,
    entriesPaused: await client.readContract({ ...market, functionName: 'paused' }),
  }
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

function orNull(address: Address): Address | null {
  return address === zeroAddress ? null : lower(address)
}
