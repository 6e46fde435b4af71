import { type Address, type Hex, zeroAddress } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { EntryFacts, TaskSnapshot } from '../../../api/domain/task-snapshot.ts'
import {
  type AuctionType,
  auctionTypes,
  toAuctionSelector,
  toAuctionType,
  toModeSelector,
} from '../../../src/rules/selectors.ts'
import type { MarketChain } from '../indexer/market-chain.ts'
import type { Random } from '../indexer/random.ts'
import { aBounty, createTasks, send, wallets } from './bounties.ts'
import { taskFactsOf } from './task-facts.ts'

/** What auctions cost at most; so little that bids come close to each other, and to nothing. */
const rewards = [1000n, 1001n, 123_457n]
/** Seconds from creation to the bid deadline, at most, and from there to the expiry. */
const LONGEST = 5000

/** Creates auctions of each subtype and lets some be bid in, some accepted, some cancelled. */
export async function makeAuctions(chain: MarketChain, random: Random, count: number): Promise<Hex[]> {
  const terms = Array.from({ length: count }, (_, index) => {
    const requester = random.pick(wallets)
    return { requester, terms: auctionTerms(random, requester, auctionTypes[index % 4] ?? 'english') }
  })
  const created = await createTasks(chain, terms)
  const ids = created.map(({ id }) => id)
  for (const [index, { id, requester }] of created.entries()) {
    const reward = terms[index]?.terms.reward ?? 0n
    // What does not fit the subtype or is not low enough reverts; what fits makes the other states.
    for (let bids = random.below(6); bids > 0; bids--) {
      await send(chain, random.pick(wallets), 'submitBid', [id, 1n + BigInt(random.below(Number(reward)))])
    }
    if (random.chance(0.1)) await send(chain, random.pick(wallets), 'submitBid', [id, 1n])
    if (random.chance(0.2)) await send(chain, random.pick(wallets), 'acceptAuction', [id, 0n])
    if (random.chance(0.1)) await send(chain, requester, 'cancelTask', [id])
  }
  await chain.mine()
  return ids
}

/** Bids of one wallet, each a base unit lower, until no more are taken. */
export async function fillWithBids(chain: MarketChain, auctionType: AuctionType, count: number): Promise<Hex> {
  const [requester = zeroAddress, bidder = zeroAddress] = wallets
  const terms = { ...aBounty({ reward: 10_000n, duration: 2 * LONGEST }), ...anAuctionOf(auctionType) }
  const [task] = await createTasks(chain, [{ requester, terms: { ...terms, bidDuration: LONGEST } }])
  if (task === undefined) throw new Error('no auction was created')
  for (let bid = 0; bid < count; bid++) await send(chain, bidder, 'submitBid', [task.id, 10_000n - BigInt(bid)])
  await chain.mine()
  return task.id
}

/** An auction as the rules see it, made from the contract's own views. */
export async function readAuction({ client, deployment }: MarketChain, id: Hex): Promise<TaskSnapshot> {
  const market = { address: deployment.market, abi: taskMarketAbi } as const
  const task = await client.readContract({ ...market, functionName: 'getTask', args: [id] })
  const terms = await client.readContract({ ...market, functionName: 'evaluationOf', args: [id] })
  const [bidder, lowest] = await client.readContract({ ...market, functionName: 'lowestBidOf', args: [id] })
  const entries = new Map<Address, EntryFacts>()
  for (const worker of wallets) {
    const { bid, pitched } = await client.readContract({ ...market, functionName: 'entryOf', args: [id, worker] })
    const none = { submissionCount: 0, activeSubmissionCount: 0, rejected: false, latestDeliverable: null }
    if (bid > 0n) entries.set(worker, { ...none, pitched, bid })
  }
  const auctionType = toAuctionType(task.auctionType)
  const hasClock = auctionType === 'dutch' || auctionType === 'reverse_dutch'
  return {
    ...taskFactsOf(id, task),
    requester: lower(task.requester),
    auctionType,
    bidDeadline: BigInt(task.bidDeadline),
    clockPrice: hasClock ? task.clockPrice : null,
    lowestBid: lowest === 0n ? null : lowest,
    lowestBidder: orNull(bidder),
    tagHashes: [],
    worker: task.status === 1 ? null : orNull(task.worker),
    soleActiveWorker: null,
    evaluator: task.hasEvaluator ? lower(terms.evaluator) : null,
    disputeResolver: task.hasEvaluator ? orNull(terms.resolver) : null,
    evaluatorFeeBps: task.hasEvaluator ? terms.feeBps : null,
    evaluationWindow: task.hasEvaluator ? BigInt(terms.evaluationWindow) : null,
    appealWindow: task.hasEvaluator ? BigInt(terms.appealWindow) : null,
    awards: [],
    entries,
    entriesPaused: await client.readContract({ ...market, functionName: 'paused' }),
  }
}

function auctionTerms(random: Random, requester: Address, auctionType: AuctionType) {
  const reward = random.pick(rewards)
  const bidDuration = 50 + random.below(LONGEST - 50)
  const hasClock = auctionType === 'dutch' || auctionType === 'reverse_dutch'
  const judges = wallets.filter((wallet) => wallet !== requester)
  const [evaluator = zeroAddress, resolver = zeroAddress] = random.chance(0.3) ? random.some(judges, 2) : []
  const noEvaluation = aBounty({ reward, duration: 0 }).evaluation
  const evaluation = { evaluator, resolver, feeBps: 100, evaluationWindow: 600, appealWindow: 300 }
  return {
    ...aBounty({ reward, duration: bidDuration + 1 + random.below(LONGEST) }),
    ...anAuctionOf(auctionType),
    ...{ bidDuration, clockPrice: hasClock ? 1n + BigInt(random.below(Number(reward))) : 0n },
    evaluation: evaluator === zeroAddress ? noEvaluation : evaluation,
  }
}

function anAuctionOf(auctionType: AuctionType) {
  return { mode: toModeSelector('auction'), auctionType: toAuctionSelector(auctionType) }
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

function orNull(address: Address): Address | null {
  return address === zeroAddress ? null : lower(address)
}
