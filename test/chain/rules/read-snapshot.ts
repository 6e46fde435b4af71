import type { Address } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { AwardFacts, EntryFacts, TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { toAddressOrNull } from '../../../src/rules/nullable-address.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Bounty } from './bounties.ts'
import { taskFactsOf } from './task-facts.ts'

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
      pitched: entry.pitched,
      bid: entry.bid === 0n ? null : entry.bid,
      latestDeliverable: committed.at(-1) ?? null,
    })
    if (entry.awarded) awards.push({ worker, rated: entry.rated })
  }
  const active = [...entries].filter(([, { activeSubmissionCount }]) => activeSubmissionCount > 0)
  return {
    ...taskFactsOf(id, task),
    requester,
    tagHashes: [],
    worker: (toAddressOrNull(task.worker)?.toLowerCase() as Address | undefined) ?? null,
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
