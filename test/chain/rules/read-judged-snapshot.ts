import { type Address, type Hex, zeroAddress } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { EntryFacts, TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import { isContest } from '../../../src/rules/selectors.ts'
import { verdicts } from '../../../src/rules/verdict.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import { taskFactsOf } from './task-facts.ts'

/** A task on the chain, and the deliverables that were tried to be committed to it. */
export interface JudgedTask {
  id: Hex
  deliverables: Map<Address, Hex[]>
}

/** A task with an evaluator as the rules see it, made from the contract's own views. Its subtype is left out. */
export async function readJudgedSnapshot(
  { client, deployment }: MarketChain,
  { id, deliverables }: JudgedTask,
): Promise<TaskSnapshot> {
  const market = { address: deployment.market, abi: taskMarketAbi } as const
  const [task, judged, paused] = await Promise.all([
    client.readContract({ ...market, functionName: 'getTask', args: [id] }),
    client.readContract({ ...market, functionName: 'evaluationOf', args: [id] }),
    client.readContract({ ...market, functionName: 'paused' }),
  ])
  const facts = taskFactsOf(id, task)
  const entries = new Map<Address, EntryFacts>()
  const awards = []
  for (const [worker, committed] of deliverables) {
    const entry = await client.readContract({ ...market, functionName: 'entryOf', args: [id, worker] })
    if (entry.awarded) awards.push({ worker, rated: entry.rated })
    // Elsewhere the one delivery stands as long as there is one.
    const active = isContest(facts.mode) ? entry.active : task.activeSubmissions
    if (active === 0) continue
    entries.set(worker, {
      ...{ submissionCount: active, activeSubmissionCount: active, rejected: false, pitched: false, bid: null },
      latestDeliverable: committed.at(-1) ?? null,
    })
  }
  const [soleActiveWorker = null] = entries.size === 1 ? entries.keys() : []
  const deadline = BigInt(judged.phaseDeadline)
  return {
    ...facts,
    ...{ requester: lower(task.requester), tagHashes: [], worker: orNull(task.worker), soleActiveWorker },
    ...(task.hasEvaluator ? termsOf(judged) : noTerms),
    evaluatorDeadline: facts.status === 'review' ? deadline : null,
    appealDeadline: facts.status === 'appealing' ? deadline : null,
    resolutionDeadline: facts.status === 'disputed' ? deadline : null,
    verdict: verdicts[judged.verdict - 1] ?? null,
    verdictAwarded: judged.awards.map(({ worker }) => lower(worker)),
    ...{ awards, entries, entriesPaused: paused },
  }
}

const noTerms = {
  ...{ evaluator: null, disputeResolver: null, evaluatorFeeBps: null, evaluationWindow: null, appealWindow: null },
}

function termsOf(judged: {
  evaluator: Address
  resolver: Address
  feeBps: number
  evaluationWindow: number
  appealWindow: number
}) {
  return {
    evaluator: lower(judged.evaluator),
    disputeResolver: orNull(judged.resolver),
    evaluatorFeeBps: judged.feeBps,
    evaluationWindow: BigInt(judged.evaluationWindow),
    appealWindow: BigInt(judged.appealWindow),
  }
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

function orNull(address: Address): Address | null {
  return address === zeroAddress ? null : lower(address)
}
